import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { settled } from "./browser.js";
import { Banner } from "../../bot/fronts/page/banner.js";
import { speak } from "../../bot/fronts/page/words.js";

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout"] });
  speak("en");
});

afterEach(() => mock.timers.reset());

const shown = () => (document.getElementById("banner").hidden ? "" : document.getElementById("banner-text").textContent);

test("what loads for longer than a moment says so until it is there", async () => {
  const banner = new Banner(() => true);
  const { promise, resolve } = Promise.withResolvers();
  void banner.during(promise);
  mock.timers.tick(299);
  assert.equal(shown(), "");
  mock.timers.tick(1);
  assert.equal(shown(), "Loading …");
  assert.equal(document.getElementById("retry").hidden, true);
  resolve();
  await settled();
  assert.equal(shown(), "");
});

test("a lost connection is shown after a while, and says more than that something loads", () => {
  const banner = new Banner(() => true);
  void banner.during(new Promise(() => {}));
  banner.state("lost");
  mock.timers.tick(300);
  assert.equal(shown(), "Loading …");
  mock.timers.tick(600);
  assert.equal(shown(), "Connection lost. Reconnecting …");
  banner.state("open");
  assert.equal(shown(), "Loading …");
});

test("a connection that is back at once is never called lost", () => {
  const banner = new Banner(() => true);
  banner.state("lost");
  banner.state("open");
  mock.timers.tick(900);
  assert.equal(shown(), "");
  assert.deepEqual(document.getElementById("news").textContent, "");
});

test("a newer version is announced even when the connection is open", () => {
  const banner = new Banner(() => true);
  banner.renew("abc", true);
  assert.equal(shown(), "There is a new version. The page reloads.");
  banner.state("open");
  assert.equal(shown(), "There is a new version. The page reloads.");
  assert.equal(history.state.build, "abc");
});
