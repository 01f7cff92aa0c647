import assert from "node:assert/strict";
import { test } from "node:test";
import { settled } from "./browser.js";
import { Alerts } from "../../bot/fronts/page/alerts.js";
import { Push } from "../../bot/fronts/page/push.js";

const KEY = "_-7_"; // of the bytes below
const BYTES = new Uint8Array([255, 238, 255]);

/** A browser with a push service, and what the page tells the server. */
function browser({ known = null, allowed = "granted", chosen = false } = {}) {
  globalThis.localStorage = window.localStorage;
  localStorage.setItem("azumaya-alerts", JSON.stringify({ push: chosen }));
  const log = [];
  const made = (endpoint, bytes) => ({
    options: { applicationServerKey: bytes.buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }),
    unsubscribe: () => Promise.resolve(log.push(`without ${endpoint}`)),
  });
  let subscription = known && made(...known);
  const pushManager = {
    getSubscription: () => Promise.resolve(subscription),
    subscribe: ({ applicationServerKey }) => {
      log.push(`subscribed to ${applicationServerKey}`);
      subscription = made("new", BYTES);
      return Promise.resolve(subscription);
    },
  };
  const worker = { pushManager };
  Object.defineProperty(navigator, "serviceWorker", {
    value: { ready: Promise.resolve(worker), getRegistration: () => Promise.resolve(worker) },
    configurable: true,
  });
  window.PushManager = class {};
  globalThis.Notification = window.Notification = Object.assign(class {}, {
    permission: allowed,
    requestPermission: () => Promise.resolve(allowed),
  });
  HTMLDialogElement.prototype.showModal = () => {};
  const alerts = new Alerts(new Push((sent) => Promise.resolve(log.push(sent.endpoint ?? "off") > 0)));
  return { alerts, log };
}

async function switched() {
  document.getElementById("alerts-push").click();
  for (let turn = 0; turn < 5; turn++) await settled();
  return document.getElementById("alerts-push").checked;
}

function offered() {
  document.getElementById("alerts-open").click();
  return !document.getElementById("alerts-pushed").hidden;
}

test("the switch subscribes this browser, and removes it again", async () => {
  const { alerts, log } = browser();
  alerts.welcome(KEY);
  assert.equal(offered(), true);
  assert.equal(await switched(), true);
  assert.deepEqual(log.splice(0), [`subscribed to ${KEY}`, "new"]);
  assert.equal(await switched(), false);
  assert.deepEqual(log, ["off", "without new"]);
});

test("a server that sends none offers none", () => {
  const { alerts } = browser();
  alerts.welcome("");
  assert.equal(offered(), false);
});

test("a browser that blocks notifications stays without them, and the page says so", async () => {
  const { alerts, log } = browser({ allowed: "denied" });
  alerts.welcome(KEY);
  assert.equal(await switched(), false);
  assert.notEqual(document.getElementById("alerts-error").textContent, "");
  assert.deepEqual(log, []);
});

test("every welcome tells the server again where this browser is notified", async () => {
  for (const [bytes, expected] of [
    [BYTES, ["old"]],
    [new Uint8Array([1]), ["without old", `subscribed to ${KEY}`, "new"]],
  ]) {
    const { alerts, log } = browser({ known: ["old", bytes], chosen: true });
    alerts.welcome(KEY);
    for (let turn = 0; turn < 5; turn++) await settled();
    assert.deepEqual(log, expected);
  }
});
