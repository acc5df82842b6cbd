// Where a block may go: asked once for each grab, never while it moves.

/** The key of a spot: its day and its first section. */
export const keyOf = (day, first) => `${day}.${first}`;

/** `c1@3.13.2.3-4` in its parts. */
export function partsOf(edit) {
  const [change, place] = edit.split("@");
  const [semester, week, day, sections] = place.split(".");
  const [first, last] = sections.split("-").map(Number);
  return { change, day: `${semester}.${week}.${day}`, first, length: last - first + 1 };
}

/** The spots that an answer tells of, in order of time. */
function spotsOf(answer) {
  const spots = new Map();
  for (const day of answer.days) {
    const name = `${day.semester_id}.${day.week}.${day.day_of_week}`;
    for (const { place, shut, words } of day.spots) {
      spots.set(keyOf(name, place.first_section), {
        day: name,
        first: place.first_section,
        last: place.last_section,
        legal: !shut,
        words,
      });
    }
  }
  return spots;
}

/** Why an answer could not be had, in the words of the server where it gave any. */
export class Refused extends Error {}

/** Asks where a change of a candidate may go now. Throws Refused. */
export async function ask(path, candidate, change) {
  const query = new URLSearchParams({ candidate_id: candidate, change_id: change });
  const address = `/api/v1${path}/legal-cells?${query}`;
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer) throw new Refused("");
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(told.title ?? "");
  return spotsOf(told);
}
