import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { Home } from "../../bot/fronts/page/home.js";

test("what has not changed on the home page keeps its element and what is focused there", () => {
  const accepted = [];
  const home = new Home({ start() {}, invite() {}, accept: (room, token) => accepted.push(token), challenge() {}, login() {} });
  document.getElementById("place-body").append(home.element);
  document.getElementById("place").hidden = false;
  const offer = { match: 4, code: "", title: "Sogo · Ben", terms: "", room: "lounge", picture: null, version: 1 };
  const shown = { games: [], people: ["Ben"], others: [offer] };
  home.show(shown);
  const [accept, ben] = ["section:first-of-type button", "section:last-of-type a"].map((one) => home.element.querySelector(one));
  ben.focus();
  home.show({ ...shown });
  assert.equal(document.activeElement, ben);
  assert.equal(home.element.querySelector("section:first-of-type button"), accept);
  home.show({ ...shown, others: [{ ...offer, version: 2 }] });
  home.element.querySelector("section:first-of-type button").click();
  assert.deepEqual(accepted, ["accept:4:2:"]);
});
