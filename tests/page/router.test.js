import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { Router, addressOf, placeAt } from "../../bot/fronts/page/router.js";

const BASE = document.baseURI;

test("each place has an address from which it is read", () => {
  for (const [path, place] of [
    ["", { name: "", argument: "", ply: null }],
    ["settings", { name: "settings", argument: "", ply: null }],
    ["rooms/%40house", { name: "rooms", argument: "@house", ply: null }],
    ["people/%C3%84nn%20%2F%23", { name: "people", argument: "Änn /#", ply: null }],
    ["g/k7mf2qtx9wpa#12", { name: "g", argument: "k7mf2qtx9wpa", ply: 12 }],
  ]) {
    assert.deepEqual(placeAt(BASE + path), place);
    assert.equal(addressOf(place), BASE + path);
  }
});

test("other addresses are nowhere", () => {
  for (const path of ["nothing", "rooms/a/b", "__proto__", "rooms/%", "rooms/%E0%A4%A"]) {
    assert.equal(placeAt(BASE + path).name, "nowhere", path);
  }
  assert.equal(placeAt(`${BASE}g/code#constructor`).ply, null);
});

test("no address changes settings or blocks a player", () => {
  for (const path of ["settings/pings%20never", "blocked/%40Ben", "language/de", "privacy/x", "games/1", "help/x", "play/a/b", "puzzles/x"]) {
    assert.equal(placeAt(BASE + path).name, "nowhere", path);
  }
});

test("a link to a place opens it in this page, and Back returns", async () => {
  const opened = [];
  const router = new Router(({ name }) => opened.push(name));
  const link = document.createElement("a");
  link.href = addressOf({ name: "games", argument: "" });
  link.dataset.place = "";
  document.body.append(link);
  link.click();
  assert.deepEqual([opened, router.here.name], [["games"], "games"]);
  router.note({ name: "rooms", argument: "lounge" });
  assert.equal(router.here.name, "rooms");
  const back = new Promise((resolve) => void addEventListener("popstate", resolve, { once: true }));
  history.back();
  await back;
  assert.deepEqual(opened, ["games", "games"]);
  const away = new window.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
  away.preventDefault(); // jsdom cannot open another tab
  link.dispatchEvent(away);
  assert.equal(opened.length, 2);
});
