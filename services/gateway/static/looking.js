// Waits for the end of a look. Used by the page that waits for it and by that of a question.

const FIRST_MS = 400;
const MOST_MS = 4_000;

/** Whether a look has ended; false also where nobody could tell. */
async function hasEnded(address) {
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer) return false;
  // Signed out, or gone: the page itself says so.
  if (!answer.ok) return answer.status < 500 && answer.status !== 429;
  const { trigger } = await answer.json();
  return Boolean(trigger.preview_id || trigger.finish_time);
}

/** Comes back when the look has ended, or when nobody waits for it any more. */
export async function ended(address, stillWaits = () => true) {
  for (let pause = FIRST_MS; stillWaits(); pause = Math.min(pause * 1.5, MOST_MS)) {
    if (await hasEnded(address)) return;
    await new Promise((on) => setTimeout(on, pause));
  }
}
