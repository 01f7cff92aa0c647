import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { settled } from "./browser.js";
import { Connection } from "../../bot/fronts/page/socket.js";

let sockets;
let status;
let told;

class Socket {
  static OPEN = 1;
  static CLOSING = 2;
  readyState = 0;
  sent = [];

  constructor(url) {
    this.url = String(url);
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = Socket.CLOSING;
  }

  opens() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  hear(frame) {
    this.onmessage({ data: JSON.stringify(frame) });
  }
}

beforeEach(() => {
  sockets = [];
  status = 200;
  told = [];
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  mock.method(Math, "random", () => 0.5);
  globalThis.WebSocket = Socket;
  globalThis.fetch = () =>
    status ? Promise.resolve({ ok: status === 200, status }) : Promise.reject(new TypeError("offline"));
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function connection() {
  return new Connection({
    hello: () => ({ t: "hello" }),
    frame: (frame) => told.push(frame.t),
    caughtUp: () => told.push("caught up"),
    state: (state) => told.push(state),
    stranger: () => told.push("stranger"),
  });
}

async function welcomed(found) {
  found.open();
  await settled();
  const socket = sockets.at(-1);
  socket.opens();
  socket.hear({ t: "welcome" });
  socket.hear({ t: "done", id: socket.sent[0].id, ok: true });
  await settled();
  return socket;
}

test("a page says hello, is welcomed and has caught up when hello is answered", async () => {
  const socket = await welcomed(connection());
  assert.equal(socket.url, "ws://localhost/socket");
  assert.equal(socket.sent[0].t, "hello");
  assert.deepEqual(told, ["welcome", "open", "caught up"]);
});

test("whom the server does not know is a stranger, and is not tried again", async () => {
  status = 401;
  connection().open();
  await settled();
  mock.timers.tick(60_000);
  await settled();
  assert.deepEqual([told, sockets.length], [["stranger"], 0]);
});

test("pauses double up to twelve seconds, and are short again after a welcome", async () => {
  const found = connection();
  const attempts = mock.method(found, "open");
  status = 0;
  found.open();
  await settled();
  for (const pause of [400, 800, 1600, 3200, 6400, 12_000, 12_000]) {
    const before = attempts.mock.callCount();
    mock.timers.tick(pause - 1);
    await settled();
    assert.equal(attempts.mock.callCount(), before, `before ${pause} ms`);
    mock.timers.tick(1);
    await settled();
    assert.equal(attempts.mock.callCount(), before + 1, `after ${pause} ms`);
  }
  status = 200;
  mock.timers.tick(12_000);
  await settled();
  sockets[0].opens();
  sockets[0].hear({ t: "welcome" });
  sockets[0].onclose();
  mock.timers.tick(400);
  await settled();
  assert.equal(sockets.length, 2);
});

test("a retry does not wait, and does nothing where nothing is waited for", async () => {
  const found = connection();
  status = 503;
  found.open();
  await settled();
  status = 200;
  found.retry();
  found.retry();
  await settled();
  assert.equal(sockets.length, 1);
});

test("a press survives a broken connection and says so; a line that was typed does not", async () => {
  const found = connection();
  const first = await welcomed(found);
  const press = found.request({ t: "press", token: "x" }, { repeat: true });
  const said = found.request({ t: "say", text: "x" });
  first.onclose();
  assert.equal(await said, null);
  assert.equal(await found.request({ t: "say", text: "y" }), null);
  mock.timers.tick(400);
  await settled();
  const second = await welcomed(found);
  const again = second.sent.filter(({ t }) => t === "press");
  assert.deepEqual(again, first.sent.filter(({ t }) => t === "press"));
  assert.equal(second.sent.some(({ t }) => t === "say"), false);
  second.hear({ t: "done", id: again[0].id, ok: true });
  assert.equal((await press).repeated, true);
});

test("a press made without a connection is sent once there is one, and was not sent twice", async () => {
  const found = connection();
  const press = found.request({ t: "press", token: "x" }, { repeat: true });
  found.open();
  await settled();
  sockets[0].onclose(); // before the welcome, so the press has not been sent
  const socket = await welcomed(found);
  const [sent] = socket.sent.filter(({ t }) => t === "press");
  socket.hear({ t: "done", id: sent.id, ok: true });
  assert.equal((await press).repeated, false);
});

test("what is pressed while the connection closes goes out by the next one, and was not sent twice", async () => {
  const found = connection();
  const first = await welcomed(found);
  first.readyState = Socket.CLOSING;
  const press = found.request({ t: "press", token: "x" }, { repeat: true });
  const said = found.request({ t: "say", text: "x" });
  assert.equal(first.sent.length, 1);
  first.onclose();
  assert.equal(await said, null);
  mock.timers.tick(400);
  await settled();
  const second = await welcomed(found);
  const [sent] = second.sent.filter(({ t }) => t === "press");
  second.hear({ t: "done", id: sent.id, ok: true });
  assert.equal((await press).repeated, false);
});

test("an answer to nothing is nothing", async () => {
  const socket = await welcomed(connection());
  socket.hear({ t: "done", id: 999, ok: true });
  assert.equal(told.includes("done"), false);
});

test("a connection that is dead but not closed is given up after twenty seconds without an answer", async () => {
  let now = 0;
  mock.method(performance, "now", () => now);
  const found = connection();
  const socket = await welcomed(found);
  const said = found.request({ t: "say", text: "x" });
  now = 20_000;
  mock.timers.tick(2_000);
  assert.equal(told.includes("lost"), false);
  now = 20_001;
  mock.timers.tick(2_000);
  assert.equal(told.at(-1), "lost");
  assert.equal(await said, null);
  assert.equal(socket.readyState, Socket.CLOSING);
});

test("a page that was closed to make room rests until it is resumed", async () => {
  const found = connection();
  const first = await welcomed(found);
  first.onclose({ code: 4429 });
  assert.equal(told.at(-1), "resting");
  const attempts = mock.method(found, "open");
  mock.timers.tick(3_600_000);
  window.dispatchEvent(new window.Event("online"));
  assert.equal(await found.request({ t: "say", text: "x" }), null);
  await settled();
  assert.equal(attempts.mock.callCount(), 0);
  found.retry();
  found.retry();
  await settled();
  assert.equal(attempts.mock.callCount(), 1);
});

test("a press on a page that rests wakes it", async () => {
  const found = connection();
  (await welcomed(found)).onclose({ code: 4429 });
  found.request({ t: "press", token: "x" }, { repeat: true });
  await settled();
  assert.equal(sockets.length, 2);
  sockets[1].opens();
  sockets[1].hear({ t: "welcome" });
  assert.deepEqual(sockets[1].sent.map(({ t }) => t), ["hello", "press"]);
});

test("where there is no room a page asks again after half a minute at the earliest", async () => {
  mock.method(Math, "random", () => 0);
  const found = connection();
  found.open();
  await settled();
  sockets[0].onclose({ code: 4503 });
  assert.equal(told.at(-1), "full");
  mock.timers.tick(29_999);
  await settled();
  assert.equal(sockets.length, 1);
  mock.timers.tick(1);
  await settled();
  assert.equal(sockets.length, 2);
});
