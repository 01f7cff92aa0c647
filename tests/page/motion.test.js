import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./browser.js";
import { Alerts } from "../../bot/fronts/page/alerts.js";
import { Board } from "../../bot/fronts/page/board.js";
import { changes } from "../../bot/fronts/page/changes.js";
import { motion } from "../../bot/fronts/page/motion.js";
import { bindSounds, samples } from "../../bot/fronts/page/sound.js";

const SIDE = 40; // pixels of a cell
const [GREEN, BLACK, WHITE, ORANGE] = [[80, 155, 110], [35, 40, 42], [247, 244, 234], [217, 87, 15]];
const CELLS = [0, 1, 2, 3, 4, 5].map((at) => [at * SIDE, 0, (at + 1) * SIDE, SIDE]);

beforeEach(() => {
  const kept = new Map();
  const localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
  Object.assign(globalThis, { localStorage, matchMedia: () => ({ matches: false }) });
});

/** Draw a row of cells: discs by letter, "." for none, with a mark after a disc or without one. */
function row(text) {
  const cells = text.match(/[.bw][*]?/g);
  const width = cells.length * SIDE;
  const data = new Uint8ClampedArray(4 * width * SIDE);
  const paint = (x, y, colour) => data.set([...colour, 255], 4 * (y * width + x));
  cells.forEach(([disc, mark], at) => {
    for (let y = 0; y < SIDE; y += 1) {
      for (let x = 0; x < SIDE; x += 1) {
        const far = Math.hypot(x - SIDE / 2, y - SIDE / 2);
        const isLine = x === 0 || y === 0;
        const own = disc === "b" ? BLACK : disc === "w" ? WHITE : GREEN;
        paint(at * SIDE + x, y, mark && far < 5 ? ORANGE : far < 16 ? own : isLine ? BLACK : GREEN);
      }
    }
  });
  return { data, width };
}

function moved(before, after, cells = CELLS) {
  return changes(row(before), row(after), cells).map((one) => `${one.kind} ${one.cell[0] / SIDE}${one.from ? ` from ${one.from.cell[0] / SIDE}` : ""}`);
}

test("a disc drops, and those that it takes turn over", () => {
  assert.deepEqual(moved(".wwwb.", "b*bbbb."), ["drop 0", "turn 1", "turn 2", "turn 3"]);
});

test("a stone slides to where one like it appears, and another one that is taken leaves", () => {
  assert.deepEqual(moved("b.wb..", ".bwb.."), ["slide 1 from 0"]);
  assert.deepEqual(moved("b.w...", ".b*...."), ["slide 1 from 0", "leave 2"]);
});

test("marks, and a piece with another mark, do not move", () => {
  assert.deepEqual(moved("b*w.*...", "bw*...*."), []);
});

test("nothing moves where too much has changed, or without cells", () => {
  assert.deepEqual(moved("bbbbbb", "wwwwww"), []);
  assert.deepEqual(moved("b.....", ".b....", []), []);
});

test("the shape of a piece has no hole where it had a mark", () => {
  const [{ box, mask }] = changes(row("w*....."), row("b*....."), CELLS);
  assert.deepEqual(box, [5, 5, 36, 36]);
  assert.equal(mask[15 * 31 + 15], 1);
  assert.equal(mask[0], 0);
});

test("motion is off where the system reduces it, and where it has been switched off", () => {
  assert.equal(motion.isOn, true);
  globalThis.matchMedia = () => ({ matches: true });
  assert.deepEqual([motion.isOn, motion.isChosen], [false, true]);
  globalThis.matchMedia = () => ({ matches: false });
  new Alerts();
  const box = document.getElementById("motion");
  box.checked = false;
  box.dispatchEvent(new window.Event("change"));
  assert.deepEqual([motion.isOn, motion.isChosen], [false, false]);
  box.checked = true;
  box.dispatchEvent(new window.Event("change"));
  assert.equal(motion.isOn, true);
});

test("sounds are short waves from silence to silence, and one button switches them", () => {
  for (const kind of ["move", "capture", "other", "end"]) {
    const wave = samples(kind, 8_000);
    assert.ok(Math.max(...wave.map(Math.abs)) > 0.05);
    assert.ok(wave.every((one) => Math.abs(one) < 0.9));
    assert.ok(Math.abs(wave[0]) < 0.001 && Math.abs(wave.at(-1)) < 0.001);
  }
  bindSounds();
  const button = document.getElementById("sound");
  const shown = () => [button.getAttribute("aria-pressed"), localStorage.getItem("azumaya-sound")];
  assert.deepEqual(shown(), ["true", null]);
  button.click();
  assert.deepEqual(shown(), ["false", "off"]);
  button.click();
  assert.deepEqual(shown(), ["true", null]);
});

test("a cell answers before anything is sent, and a drag presses both of its ends", () => {
  const pressed = [];
  const board = new Board((cell, _, isDrop) => void pressed.push([cell.label, isDrop]), () => {});
  document.body.append(board.element);
  const cells = CELLS.slice(0, 3).map((box, at) => ({ box, label: `c${at}`, token: "", legal: at < 2, partial: at === 1 }));
  board.show({ url: "x", width: 6 * SIDE, height: SIDE, cells }, "Board");
  const [whole, partial, target] = board.element.querySelectorAll(".cell");
  const point = (kind, element, x) => {
    document.elementFromPoint = () => element;
    const event = new window.MouseEvent(kind, { bubbles: true, clientX: x, buttons: 1, detail: 1 });
    (kind === "pointerdown" ? element : board.element.querySelector(".cells")).dispatchEvent(Object.assign(event, { isPrimary: true }));
  };
  const drag = (from) => {
    point("pointerdown", from, 0);
    assert.ok(from.classList.contains("held"));
    assert.deepEqual(pressed, []);
    point("pointermove", target, 80);
    point("pointerup", target, 80);
    from.dispatchEvent(new window.MouseEvent("click", { bubbles: true, detail: 1 }));
  };
  drag(partial);
  assert.deepEqual(pressed.splice(0), [["c1", false], ["c2", true]]);
  drag(whole);
  assert.deepEqual(pressed, [["c0", false]]); // a click, as it ends where it began here
  assert.equal(board.element.querySelector(".held"), null);
});

test("a step with other cells takes the focus to the first of them, not to a place for pointers", () => {
  const board = new Board(() => {}, () => {});
  document.body.append(board.element);
  const cell = (at, label) => ({ box: CELLS[at], label, token: "", legal: true });
  const picture = { url: "x", width: 6 * SIDE, height: SIDE };
  board.show({ ...picture, cells: [cell(0, "a1"), cell(1, "b1")] }, "Board");
  board.focus();
  board.show({ ...picture, url: "y", cells: [cell(4, "7"), cell(5, "8")], others: [cell(0, "a1"), cell(1, "b1")] }, "Board");
  assert.equal(document.activeElement.getAttribute("aria-label"), "7");
});
