// The page of a suggestion: follows its state, counts down, and lets its block be put elsewhere.
// Everything works without it: the list of places is a form of its own.

import { Boards } from "./boards.js";
import { Mover } from "./drag.js";
import { ended } from "./looking.js";
import { keyOf, partsOf } from "./places.js";

const AGAIN = { first: 2_000, most: 60_000 };
const SHORT_SECONDS = 120;

const main = () => document.querySelector("main[data-status]");
const aloud = document.createElement("p");
aloud.className = "vh";
aloud.setAttribute("role", "status");
document.body.append(aloud);

let mover = null;

// The page as the server shows it

/** Takes the page of an address in the place of this one, without leaving it. */
async function show(address, { quietly = false } = {}) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer) return false;
  if (!answer.ok || answer.redirected) {
    location.assign(address);
    return true;
  }
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  mover?.interrupt();
  for (const place of ["main", ".bar"]) {
    document.querySelector(place).replaceWith(document.adoptNode(found.querySelector(place)));
  }
  document.title = found.title;
  history.replaceState(null, "", address);
  start();
  if (!quietly) aloud.textContent = main().querySelector(".notice b")?.textContent ?? "";
  return true;
}

/** The address of the page with a candidate and, where it is put elsewhere, an edit. */
function addressOf(candidate, edit) {
  const query = new URLSearchParams({ candidate });
  if (edit) query.set("edits", edit);
  return `${location.pathname}?${query}`;
}

// Its state

/** Follows the state of the suggestion and shows what it has become. */
function follow(address, wait = AGAIN.first) {
  const source = new EventSource(address);
  let pause = wait;
  source.addEventListener("preview", async (event) => {
    pause = AGAIN.first;
    const { preview } = JSON.parse(event.data);
    const status = preview.state.replace("PREVIEW_STATE_", "").toLowerCase();
    const page = main();
    const isSame = String(preview.version) === page.dataset.version
      && status === page.dataset.status
      && Boolean(preview.question?.answer_time) === ("answered" in page.dataset);
    if (!isSame) await show(location.pathname + location.search);
    if (!main().dataset.events) source.close();
  });
  source.addEventListener("error", () => {
    // A lost connection is taken up again by the browser; after a refusal it has to be asked to.
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => main().dataset.events && follow(address, Math.min(pause * 2, AGAIN.most)), pause);
  });
}

/** Shows what came of the look that follows up an answer. */
async function followLook() {
  const { look } = main().dataset;
  if (!look) return;
  await ended(look, () => main().dataset.look === look);
  if (main().dataset.look === look) await show(location.pathname + location.search);
}

// What is left

const ends = new WeakMap();

/** Says how long is left: in minutes, in the last two as m:ss. Never announced. */
function countDown() {
  for (const element of document.querySelectorAll("[data-left]")) {
    const { left, life, minutes, seconds } = element.dataset;
    if (!ends.has(element)) ends.set(element, performance.now() + Number(left) * 1000);
    const remaining = Math.max(0, Math.floor((ends.get(element) - performance.now()) / 1000));
    const short = remaining < SHORT_SECONDS;
    const amount = short
      ? `${Math.floor(remaining / 60)}:${String(remaining % 60).padStart(2, "0")}`
      : String(Math.floor(remaining / 60));
    const words = (short ? seconds : minutes).replace("{n}", amount);
    if (element.textContent === words) continue;
    element.textContent = words;
    const ring = element.parentElement.querySelector(".r");
    ring?.setAttribute("stroke-dashoffset", String(100 - (100 * remaining) / Number(life)));
  }
}

// Its block

/** Everything that names the place follows the block. */
function settled(edit, place) {
  const page = main();
  const isEdited = mover.isEdited;
  page.toggleAttribute("data-edited", isEdited);
  page.querySelector(".reset").hidden = !isEdited;
  const form = document.querySelector('.bar form.main');
  if (form) {
    form.elements.edits.value = isEdited ? edit : "";
    const button = form.querySelector("button");
    button.disabled = false;
    if (button.dataset.label) {
      button.querySelector("span").textContent = button.dataset.label.replace("{place}", place);
    }
  }
  const where = page.querySelector("#where");
  if (where) where.value = edit;
  history.replaceState(null, "", addressOf(page.dataset.candidate, isEdited ? edit : ""));
}

/** Puts the block where a list or a link says; where that day is not shown, the server shows it. */
async function putTo(edit) {
  const { day, first } = partsOf(edit);
  const { candidate } = main().dataset;
  if (!mover.boards.days.includes(day)) return show(addressOf(candidate, edit), { quietly: true });
  const spots = await mover.know().catch(() => null);
  const spot = spots?.get(keyOf(day, first));
  if (spot?.legal) return mover.settle(spot);
  mover.say(spot ? "not_moved" : "unknown", { why: spot?.words.why }, true);
  main().querySelector("#where").value = mover.block.dataset.at;
}

function listen(page) {
  const where = page.querySelector("#where");
  where?.addEventListener("change", async () => {
    await putTo(where.value);
    document.querySelector("#where")?.focus();
  });
  page.querySelector(".reset")?.addEventListener("click", (event) => {
    event.preventDefault();
    putTo(mover.block.dataset.home);
  });
  for (const choice of page.querySelectorAll("a.cand")) {
    choice.addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const address = choice.href;
      if (!(await show(address, { quietly: true }))) location.assign(address);
      else main().querySelector(".cand.chosen")?.focus();
    });
  }
}

function start() {
  const page = main();
  const canMove = page.querySelector("[data-change]") && page.querySelector(".live");
  mover = canMove ? new Mover(page, new Boards(page), settled) : null;
  listen(page);
  countDown();
  followLook();
}

start();
setInterval(countDown, 1000);
if (main().dataset.events) follow(main().dataset.events);
