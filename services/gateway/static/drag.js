// The block that can be put elsewhere: by mouse, pen and touch alike, and by keys alone.
//
// The server judges: what may be done where is asked when the block is lifted. A shut place can be
// aimed at, and says why nothing can be put there.

import { ask, keyOf, partsOf } from "./places.js";

const FAR = 5;
const EDGE = { top: 56, bottom: 116, step: 6 };
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** Another symbol of the same sprite. */
function show(icon, name) {
  const use = icon.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#${name}`));
}

/** The block as a button; it was none before, since nothing could be done with it. */
function asButton(block) {
  const item = document.createElement("div");
  item.className = "li";
  item.setAttribute("role", "listitem");
  const button = document.createElement("button");
  button.type = "button";
  button.className = block.className;
  Object.assign(button.dataset, block.dataset);
  button.setAttribute("aria-pressed", "false");
  button.setAttribute("aria-describedby", "how");
  button.append(...block.childNodes);
  const grip = document.createElement("span");
  grip.className = "grip";
  const icon = button.querySelector(".chip .i").cloneNode(true);
  icon.setAttribute("class", "i");
  show(icon, "grip");
  grip.append(icon);
  button.append(grip);
  item.append(button);
  block.replaceWith(item);
  return button;
}

/** Moves the block of one page; `settled` is told each place that it is put to. */
export class Mover {
  constructor(page, boards, settled) {
    this.page = page;
    this.boards = boards;
    this.settled = settled;
    this.live = page.querySelector(".live");
    this.said = JSON.parse(this.live.dataset.said);
    this.block = asButton(page.querySelector("[data-change]"));
    this.chip = this.block.querySelector(".chip span");
    this.sign = this.block.querySelector(".chip .i");
    this.time = this.block.querySelector(".m span");
    this.at = partsOf(this.block.dataset.at);
    this.length = this.at.length;
    this.spots = null;
    this.held = null;
    this.grab = null;
    this.aim = document.createElement("div");
    this.aim.className = "aim";
    this.aim.setAttribute("aria-hidden", "true");
    this.#listen();
  }

  say(name, values = {}, isBad = false) {
    this.live.textContent = this.said[name] ? fill(this.said[name], values) : name;
    this.live.classList.toggle("no", isBad);
  }

  /** What is known of the places, asked where it is not. Throws Refused. */
  async know() {
    this.spots = await ask(this.page.dataset.path, this.page.dataset.candidate, this.at.change);
    return this.spots;
  }

  #listen() {
    const block = this.block;
    block.addEventListener("pointerdown", (event) => this.#press(event));
    block.addEventListener("pointermove", (event) => this.#drag(event));
    block.addEventListener("pointerup", () => this.#release(true));
    block.addEventListener("pointercancel", () => this.#release(false));
    block.addEventListener("keydown", (event) => this.#key(event));
    block.addEventListener("keyup", (event) => event.key === " " && event.preventDefault());
    block.addEventListener("blur", () => this.held?.how === "keys" && this.drop(false));
  }

  // Pointer

  #press(event) {
    if (event.button || this.held) return;
    const box = this.block.getBoundingClientRect();
    this.grab = { x: event.clientX, y: event.clientY, off: event.clientY - box.top, scrolled: scrollY };
    this.block.setPointerCapture(event.pointerId);
  }

  #drag(event) {
    if (!this.grab) return;
    this.grab.now = event;
    const far = Math.hypot(event.clientX - this.grab.x, event.clientY - this.grab.y);
    if (!this.held && far >= FAR) {
      this.lift("pointer");
      this.#scroll();
    }
    if (this.held) this.#follow();
  }

  #follow() {
    const { x, y, off, scrolled, now } = this.grab;
    const down = now.clientY - y + scrollY - scrolled;
    this.block.style.transform = `translate(${now.clientX - x}px, ${down}px)`;
    const row = this.block.offsetHeight / this.length;
    const cell = this.boards.nearest(now.clientX, now.clientY - off + row / 2);
    if (cell && (cell.day !== this.aimed.day || cell.first !== this.aimed.first)) this.#aimAt(cell);
  }

  /** Near the edge of the window the page moves on by itself. */
  #scroll() {
    if (this.held?.how !== "pointer" || !this.grab) return;
    const { clientY } = this.grab.now;
    const step = clientY < EDGE.top ? -EDGE.step : clientY > innerHeight - EDGE.bottom ? EDGE.step : 0;
    if (step) {
      scrollBy(0, step);
      this.#follow();
    }
    requestAnimationFrame(() => this.#scroll());
  }

  #release(keep) {
    this.grab = null;
    if (this.held?.how === "pointer") this.drop(keep);
  }

  // Keys

  #key(event) {
    const arrow = ARROWS[event.key];
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (event.repeat) return;
      if (this.held) this.drop(true);
      else this.lift("keys");
    } else if (event.key === "Escape" && this.held) {
      event.preventDefault();
      this.drop(false);
    } else if (arrow && (this.held || event.altKey)) {
      event.preventDefault();
      if (!this.held) this.lift("keys");
      if (event.altKey) this.#jump(arrow[0] + arrow[1]);
      else this.#step(arrow);
    }
  }

  #step([across, down]) {
    const { days } = this.boards;
    const day = days[Math.min(days.length - 1, Math.max(0, days.indexOf(this.aimed.day) + across))];
    const first = Math.min(this.boards.count(day), Math.max(1, this.aimed.first + down));
    this.#aimAt({ day, first });
  }

  /** To the next legal place in order of time, round about. */
  async #jump(way) {
    await this.held?.asking;
    if (!this.held || !this.spots) return;
    const shown = [...this.spots.values()].filter((spot) => this.boards.days.includes(spot.day));
    const here = shown.findIndex(({ day, first }) => day === this.aimed.day && first === this.aimed.first);
    for (let step = 1; step <= shown.length; step += 1) {
      const spot = shown[(here + way * step + shown.length * 2) % shown.length];
      if (spot.legal) return this.#aimAt(spot);
    }
  }

  // Both

  lift(how) {
    const held = { how };
    this.held = held;
    this.aimed = { day: this.at.day, first: this.at.first };
    this.boards.lifting(true);
    this.block.classList.add("held");
    this.block.classList.toggle("still", how === "keys");
    this.block.setAttribute("aria-pressed", "true");
    this.say("looking");
    held.asking = this.know().then(
      (spots) => {
        if (this.held !== held) return;
        this.boards.paint(spots);
        if (how === "keys") this.say("lifted", this.#spot()?.words);
        this.#aimAt(this.aimed, how === "pointer");
      },
      (error) => {
        if (this.held !== held) return;
        this.#letGo();
        this.say(error.message || "unknown", {}, true);
      },
    );
  }

  #spot(at = this.aimed) {
    return this.spots?.get(keyOf(at.day, at.first));
  }

  #aimAt({ day, first }, isTold = true) {
    this.aimed = { day, first };
    const spot = this.#spot();
    if (!this.spots || !spot) return;
    const { words, legal } = spot;
    this.boards.lay(this.aim, day, first, this.length).append(this.aim);
    this.aim.classList.toggle("yes", legal);
    this.aim.classList.toggle("no", !legal);
    this.aim.textContent = legal ? words.note : words.why;
    this.block.classList.toggle("shut", !legal && this.held.how === "pointer");
    if (this.held.how === "pointer") {
      this.chip.textContent = legal ? words.place : words.why;
      show(this.sign, legal ? "plus" : "cross");
      if (this.time && words.time) this.time.textContent = words.time;
    }
    if (!isTold) return;
    if (legal) this.say(words.note ? "can_noted" : "can", words);
    else this.say("cannot", words, true);
  }

  /** Puts the block down: where it is aimed at if that is legal, else back where it was. */
  async drop(keep) {
    const held = this.held;
    if (keep) await held.asking;
    if (this.held !== held || !held) return;
    const spot = this.#spot();
    this.#letGo();
    if (keep && spot?.legal) this.settle(spot);
    else if (keep && spot) this.say("not_moved", { why: spot.words.why }, true);
    else this.say("put_back");
  }

  #letGo() {
    this.held = null;
    this.grab = null;
    this.aim.remove();
    this.boards.lifting(false);
    this.block.classList.remove("held", "still", "shut");
    this.block.setAttribute("aria-pressed", "false");
    this.block.style.transform = "";
    show(this.sign, "plus");
    this.#label();
  }

  /** Lets go at once: the page under the block is about to change. */
  interrupt() {
    if (this.held) this.#letGo();
  }

  /** The block stays where a spot is. */
  settle(spot) {
    this.at = { ...this.at, day: spot.day, first: spot.first };
    this.words = spot.words;
    const hadFocus = document.activeElement === this.block;
    this.boards.settle(this.block, spot.day, spot.first, this.length);
    if (hadFocus) this.block.focus({ preventScroll: true });
    const edit = `${this.at.change}@${spot.day}.${spot.first}-${spot.last}`;
    this.block.dataset.at = edit;
    this.#label();
    this.say("dropped", spot.words);
    this.settled(edit, spot.words.place);
  }

  get isEdited() {
    return this.block.dataset.at !== this.block.dataset.home;
  }

  #label() {
    this.chip.textContent = this.isEdited ? this.block.dataset.chipEdited : this.block.dataset.chip;
    const words = this.words ?? this.#spot(this.at)?.words;
    if (!words) return;
    if (this.time) this.time.textContent = words.time;
    this.block.querySelector(".vh").textContent = fill(this.block.dataset.label, words);
  }
}
