import assert from "node:assert/strict";
import { test } from "node:test";
import { texts } from "./browser.js";
import { Rooms } from "../../bot/fronts/page/rooms.js";
import { speak } from "../../bot/fronts/page/words.js";

const LIST = [
  { room: "lounge", title: "#lounge", kind: "channel" },
  { room: "garden", title: "#garden", kind: "channel" },
  { room: "@house", title: "Azumaya", kind: "direct" },
];
const waits = (room, more = {}) => ({ room, waits: true, proposed: false, offers: 0, ...more });
const WAITING = [waits("garden"), waits("@house"), waits("@house"), waits("lounge", { waits: false })];

function rooms() {
  const opened = [];
  const found = new Rooms(({ room }) => opened.push(room));
  return { found, opened };
}

function link(room) {
  return document.querySelector(`#rooms a[href$="/rooms/${encodeURIComponent(room)}"]`);
}

test("a room is opened once, and marked", () => {
  const { found, opened } = rooms();
  found.show(LIST, []);
  found.enter("garden");
  found.enter("garden");
  assert.deepEqual(opened, ["garden"]);
  assert.equal(link("garden").getAttribute("aria-current"), "page");
  found.enter(null);
  assert.equal(found.current, null);
  assert.equal(link("garden").getAttribute("aria-current"), null);
});

test("turns and challenges wait, and a badge leads to them", () => {
  speak("en");
  const led = [];
  const found = new Rooms(() => {}, (room) => led.push(room));
  found.show(LIST, [...WAITING, waits("lounge", { proposed: true }), waits("@house", { offers: 2 })]);
  assert.equal(found.waiting, 5);
  assert.deepEqual(LIST.map(({ room }) => link(room).lastElementChild.textContent), [", challenges: 1", ", your turn: 1", ", your turn: 2, offers: 1"]);
  const badges = [...document.querySelectorAll("#rooms .lead:not([hidden])")];
  assert.deepEqual(badges.map((badge) => badge.getAttribute("aria-label")), ["#lounge", "#garden", "Azumaya"].map((room, at) => `Go to the game that waits in ${room}: ${[1, 1, 3][at]}`));
  badges[1].click();
  assert.deepEqual(led, ["garden"]);
});

test("a badge counts the turns of other rooms, a dot says that something is unread", () => {
  speak("en");
  const { found } = rooms();
  const badge = () => document.getElementById("side-badge");
  found.show(LIST, WAITING);
  found.enter("garden");
  assert.deepEqual([badge().textContent, badge().hidden], ["2", false]);
  found.show(LIST, []);
  assert.equal(badge().hidden, true);
  found.addUnread("lounge");
  found.addUnread("lounge");
  assert.deepEqual([badge().textContent, badge().hidden], ["", false]);
  assert.match(link("lounge").textContent, /unread: 2/);
  found.enter("lounge");
  assert.equal(badge().hidden, true);
  assert.doesNotMatch(link("lounge").textContent, /unread/);
});

test("groups of rooms have their titles", () => {
  speak("en");
  const { found } = rooms();
  found.show(LIST, []);
  assert.deepEqual(texts("#rooms h2"), ["Rooms", "Direct messages"]);
});

test("what comes and goes at the side stands below the rooms, which keep their places", () => {
  const [fixed, matches] = ["rooms", "matches"].map((id) => document.getElementById(id));
  assert.equal(fixed.compareDocumentPosition(matches), Node.DOCUMENT_POSITION_FOLLOWING);
});
