// A conversation that follows what happens: words are sent without leaving the page, and what comes
// of them is shown as it comes. Without this every form leads to the page anew, and a page of a run
// that works asks for itself every other second.

const AGAIN = { first: 1_000, most: 30_000 };
const LOOK_MS = 10_000;
const NEAR_PX = 160;

const main = () => document.querySelector("main.talk");
const field = () => document.querySelector(".compose textarea");
const aloud = document.createElement("p");
aloud.className = "vh";
aloud.setAttribute("role", "status");
document.body.append(aloud);

const others = "BroadcastChannel" in window ? new BroadcastChannel("smartmate-chat") : null;
let source = null;
let beside = null;
let isComposing = false;
let isLate = false;

// Where the person looks

const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR_PX;
const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight });

// The page as the server shows it

/** What stood in the field, and whether it was there that the person was. */
function kept() {
  const words = field();
  if (!words) return null;
  return { text: words.value, has: document.activeElement === words, at: words.selectionStart };
}

/** Takes another look of the page in the place of this one. False where it is none of a talk. */
function put(text, address, { draft = null, follow = true } = {}) {
  const found = new DOMParser().parseFromString(text, "text/html");
  if (!found.querySelector("main.talk")) return false;
  const turned = new Map([...main().querySelectorAll("details")].filter(isTurned).map(stateOf));
  const stays = follow && isAtEnd();
  for (const place of ["main.talk", ".compose"]) {
    const [old, fresh] = [document.querySelector(place), found.querySelector(place)];
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
  }
  remember(main());
  for (const one of main().querySelectorAll("details")) {
    one.open = turned.get(nameOf(one)) ?? one.open;
  }
  document.title = found.title;
  if (new URL(address, location.href).pathname === location.pathname) {
    history.replaceState(null, "", address);
  } else {
    history.pushState(null, "", address);
  }
  restore(draft);
  start();
  if (stays) toEnd();
  return true;
}

/** Whether the person has folded or unfolded something since the server showed it. */
const isTurned = (details) => details.open !== (details.dataset.shown === "open");
const stateOf = (details) => [nameOf(details), details.open];

function remember(root) {
  for (const one of root.querySelectorAll("details")) one.dataset.shown = one.open ? "open" : "";
}

/** Tells details of one look from those of another: by where they stand. */
function nameOf(details) {
  const its = details.closest(".its");
  const alike = (one) => one.className === details.className;
  const all = its ? [...its.querySelectorAll("details")].filter(alike) : [details];
  return `${its?.id ?? details.className}/${details.className}/${all.indexOf(details)}`;
}

function restore(draft) {
  const words = field();
  if (!words || !draft) return;
  if (draft.text && !words.value) words.value = draft.text;
  if (!draft.has || words.disabled) return;
  words.focus({ preventScroll: true });
  words.setSelectionRange(draft.at, draft.at);
}

/** Looks at the page anew; what is being written stays. */
async function look(pause = AGAIN.first) {
  isLate = isComposing;
  if (isLate) return;
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer) {
    setTimeout(look, pause, Math.min(pause * 2, AGAIN.most));
    return;
  }
  if (answer.redirected || !answer.ok) return location.reload();
  const text = await answer.text();
  if (!put(text, location.href, { draft: kept() })) return location.reload();
  tellNewest();
}

/** Reads out what is asked, or how it ended. */
function tellNewest() {
  const last = [...main().querySelectorAll(".its")].at(-1);
  const told = last?.querySelector(".asked .words, [data-slot=ask] > .words, .end .words");
  const said = told ?? [...(last?.querySelectorAll(".words") ?? [])].at(-1);
  aloud.textContent = said?.textContent ?? "";
}

// Saying something

/** Where a form leads; a field of its own may be called action. */
const actionOf = (form) => new URL(form.getAttribute("action"), location.href);

function bodyOf(form, submitter) {
  const data = new FormData(form);
  if (submitter?.name) data.append(submitter.name, submitter.value);
  data.append("live", "yes");
  return new URLSearchParams(data);
}

async function send(form, submitter) {
  const isSaying = form.matches(".compose");
  const draft = isSaying ? null : kept();
  const words = field();
  const focused = document.activeElement === words || document.activeElement === submitter;
  const body = bodyOf(form, submitter);
  const answer = await fetch(actionOf(form), { method: "POST", body, headers: { Accept: "text/html" } })
    .catch(() => null);
  delete form.dataset.sent;
  submitter?.removeAttribute("aria-disabled");
  if (!answer) return;
  const text = await answer.text();
  const address = answer.redirected ? answer.url : location.href;
  if (!put(text, address, { draft, follow: false })) return location.reload();
  toEnd();
  if (focused) field()?.focus({ preventScroll: true });
  others?.postMessage(main().dataset.conversation ?? "");
  if (!main().dataset.events) tellNewest();
}

// What happens

/** Puts what has changed into the part of the page that shows it. */
function patch({ id, slots }) {
  const part = document.getElementById(id);
  if (!part) return look();
  const stays = isAtEnd();
  for (const [name, text] of Object.entries(slots)) {
    const slot = part.querySelector(`:scope > [data-slot="${name}"]`);
    const turned = [...slot.querySelectorAll("details")].filter(isTurned).map((one) => one.open);
    slot.innerHTML = text;
    remember(slot);
    const details = slot.querySelector("details");
    if (details && turned.length) [details.open] = turned;
  }
  if (stays) toEnd();
}

function follow(address, wait = AGAIN.first) {
  source = new EventSource(address);
  const own = source;
  let pause = wait;
  own.addEventListener("parts", (event) => {
    pause = AGAIN.first;
    patch(JSON.parse(event.data));
  });
  for (const name of ["end", "again"]) {
    own.addEventListener(name, () => {
      own.close();
      look();
    });
  }
  own.addEventListener("error", () => {
    // A lost connection is taken up again by the browser; after a refusal the page is asked anew.
    if (own.readyState !== EventSource.CLOSED || own !== source) return;
    setTimeout(() => own === source && look(), pause);
    pause = Math.min(pause * 2, AGAIN.most);
  });
}

/** A suggestion beside the words follows its own state. */
function followPreview({ preview, version }) {
  beside = new EventSource(preview);
  beside.addEventListener("preview", (event) => {
    if (String(JSON.parse(event.data).preview.version) !== version) look();
  });
}

/** Whether something was said elsewhere: in another window, or on another device. */
async function lookElsewhere() {
  const { conversation, run, sequence, events } = main().dataset;
  if (!conversation || events || document.hidden || new URLSearchParams(location.search).has("before")) return;
  const address = `/api/v1/agent/conversations/${conversation}?page_size=1`;
  const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
  if (!answer?.ok || main().dataset.conversation !== conversation) return;
  const found = await answer.json();
  const isSame = found.conversation.run_id === run && String(found.last_sequence) === sequence;
  if (!isSame) look();
}

// The field

function grow() {
  const words = field();
  if (!words || CSS.supports("field-sizing", "content")) return;
  words.style.height = "auto";
  words.style.height = `${words.scrollHeight + 2}px`;
}

function start() {
  source?.close();
  beside?.close();
  const page = main();
  const words = field();
  // A browser has few connections to spare: what nobody looks at holds none.
  if (page.dataset.events && !document.hidden) follow(page.dataset.events);
  if (page.dataset.preview && !document.hidden) followPreview(page.dataset);
  words?.addEventListener("input", grow);
  words?.addEventListener("compositionstart", () => { isComposing = true; });
  words?.addEventListener("compositionend", () => {
    isComposing = false;
    if (isLate) look();
  });
  words?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    const button = words.form.querySelector("button");
    if (words.value.trim() && !button.disabled) words.form.requestSubmit(button);
  });
  grow();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const isOurs = actionOf(form).pathname.startsWith("/agent/chat");
  if (event.defaultPrevented || form.method !== "post" || !isOurs) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  send(form, event.submitter).finally(() => { delete form.dataset.busy; });
});
document.addEventListener("click", (event) => {
  const example = event.target.closest?.("a[data-draft]");
  if (!example || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  field().value = example.dataset.draft;
  grow();
  field().focus();
});
others?.addEventListener("message", ({ data }) => {
  if (data && data === main().dataset.conversation) look();
});
addEventListener("visibilitychange", () => {
  const { events, preview } = main().dataset;
  if (document.hidden) {
    source?.close();
    beside?.close();
  } else if (events || preview) look();
  else lookElsewhere();
});
addEventListener("focus", lookElsewhere);
addEventListener("popstate", () => location.reload());
setInterval(lookElsewhere, LOOK_MS);

remember(main());
start();
if (main().dataset.conversation) toEnd();
