import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { settled } from "./browser.js";
import { Reading } from "../../bot/fronts/page/reading.js";

function reading({ taken = true } = {}) {
  const sent = [];
  const found = new Reading((room, message) => {
    sent.push(`${room} ${message}`);
    return Promise.resolve(taken);
  });
  return { found, sent };
}

test("a read mark is sent at once, and not again for each line", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { found, sent } = reading();
  for (const message of [3, 4, 5]) found.note("lounge", message);
  assert.deepEqual(sent, ["lounge 3"]);
  mock.timers.tick(4_000);
  assert.deepEqual(sent, ["lounge 3", "lounge 5"]);
  found.note("lounge", 4);
  mock.timers.tick(9_000);
  assert.deepEqual(sent, ["lounge 3", "lounge 5"]);
  mock.timers.reset();
});

test("a page that goes to the background tells the rest", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { found, sent } = reading();
  found.note("lounge", 3);
  found.note("lounge", 4);
  found.note("garden", 7);
  window.dispatchEvent(new window.Event("pagehide"));
  assert.deepEqual(sent, ["lounge 3", "lounge 4", "garden 7"]);
  mock.timers.reset();
});

test("a confirmed read mark is not sent again; an unconfirmed one is", async () => {
  const { found, sent } = reading({ taken: false });
  found.begin({ lounge: 5 });
  found.note("lounge", 5);
  found.note("garden", 2);
  await settled();
  found.note("garden", 2);
  found.tell();
  assert.deepEqual(sent, ["garden 2", "garden 2"]);
});
