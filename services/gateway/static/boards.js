// The grids of a page as days and sections: which cell is which, and how a block lies in them.

import { keyOf } from "./places.js";

const PLACE = /^(?:[dse]-\d+|brk)$/;

const numberOf = (element, letter) =>
  Number([...element.classList].find((name) => name.startsWith(`${letter}-`))?.slice(2));

/** Where a block stands in the order of reading: day by day, section by section. */
const orderOf = (block) => numberOf(block, "d") * 100 + numberOf(block, "s");

/** The grids that blocks can be put into. */
export class Boards {
  constructor(root) {
    this.grids = [...root.querySelectorAll(".days.after")];
    this.cells = new Map();
    this.days = [];
    for (const grid of this.grids) this.#read(grid);
  }

  #read(grid) {
    for (const head of grid.querySelectorAll(".dh[data-day]")) {
      const day = head.dataset.day;
      const column = `d-${numberOf(head, "d")}`;
      this.days.push(day);
      for (const element of grid.querySelectorAll(`.c.${column}`)) {
        const first = numberOf(element, "s");
        this.cells.set(keyOf(day, first), { grid, element, day, first, column });
      }
    }
  }

  /** The number of sections of a day. */
  count(day) {
    let count = 0;
    while (this.cells.has(keyOf(day, count + 1))) count += 1;
    return count;
  }

  /** Lays an element over `length` sections from a spot on, cut where the day ends; gives its grid. */
  lay(element, day, first, length) {
    const from = this.cells.get(keyOf(day, first));
    const last = Math.min(first + length - 1, this.count(day));
    for (const name of [...element.classList]) if (PLACE.test(name)) element.classList.remove(name);
    element.classList.add(from.column, `s-${first}`, `e-${last}`);
    if (from.element.classList.contains("brk")) element.classList.add("brk");
    return from.grid;
  }

  /** Lays a block that stands in an item of the list, where it is read in order of time. */
  settle(block, day, first, length) {
    const grid = this.lay(block, day, first, length);
    const item = block.parentElement;
    const here = orderOf(block);
    const blocks = [...grid.querySelectorAll(".b")].filter((other) => other !== block);
    const later = blocks.find((other) => orderOf(other) > here);
    const before = later?.closest(".li") ?? later ?? null;
    if (item.parentElement !== grid || item.nextElementSibling !== before) {
      grid.insertBefore(item, before);
    }
  }

  /** The cell whose middle is nearest to a height, in the column under a point. */
  nearest(x, y) {
    let found = null;
    let least = Infinity;
    for (const cell of this.cells.values()) {
      const box = cell.element.getBoundingClientRect();
      if (x < box.left || x > box.right) continue;
      const away = Math.abs(y - (box.top + box.bottom) / 2);
      if (away < least) [found, least] = [cell, away];
    }
    return found;
  }

  /** Shows which cells a legal place covers, and which none does. */
  paint(spots) {
    const covered = new Set();
    for (const spot of spots.values()) {
      if (!spot.legal) continue;
      for (let at = spot.first; at <= spot.last; at += 1) covered.add(keyOf(spot.day, at));
    }
    for (const [key, { element }] of this.cells) {
      element.classList.toggle("legal", covered.has(key));
      element.classList.toggle("shut", !covered.has(key));
    }
  }

  /** While something is held, the grids say where it may go. */
  lifting(on) {
    for (const grid of this.grids) grid.classList.toggle("lifting", on);
  }
}
