// Sets up the web app: welcome page, connection, rooms, messages, input line. It knows no game.

import { bindAccount, isChanging } from "./account.js";
import { Alerts } from "./alerts.js";
import { Arrival, hasLastWord, keepLastWord } from "./arrival.js";
import { Banner } from "./banner.js";
import { Boards } from "./boards.js";
import { Composer } from "./composer.js";
import { announce, arrange, byId, dressStone, fileUrl, make, setText } from "./dom.js";
import { LowerEdge } from "./edge.js";
import { Matches } from "./matches.js";
import { Log } from "./messages.js";
import { Nav } from "./nav.js";
import { profileOf, wishOf } from "./home.js";
import { HOUSE, Places } from "./places.js";
import { Push } from "./push.js";
import { Reading } from "./reading.js";
import { Rooms } from "./rooms.js";
import { Router, addressOf } from "./router.js";
import { Sheet } from "./sheet.js";
import { bindSounds } from "./sound.js";
import { Connection } from "./socket.js";
import { Stage } from "./stage.js";
import { browserLanguage, listed, speak, word } from "./words.js";

const BUILD = fileUrl("").split("/").at(-2); // the hash in the path of the page's files

const table = byId("table");

/** @type {Wire.Person | null} */
let me = null;
let stamp = 0; // the highest stamp seen
let catchingUp = true;
let isTold = true; // must new waiting matches be announced?
let isNewcomer = false;
const greeted = Promise.withResolvers(); // until the server has said who the user is
let starting = true; // the first connection: all messages until its end are old
let stampThen = 0; // the highest stamp when catching up started
/** @type {Map<string, Log>} by room id */
const logs = new Map();
/** @type {string[]} the names of all present users: every channel is open to all */
let people = [];
/** @type {Wire.Listed[]} the user's own */
let mine = [];
/** @type {{ game: string, whom?: string, kind?: string } | null} chosen before the user had a name */
let wished = null;

const arrival = new Arrival();
const router = new Router((place) => void openPlace(place));
const nav = new Nav(() => rooms.drawer.open());

const banner = new Banner(() => me !== null);

const connection = new Connection({
  hello: () => ({
    t: "hello",
    locale: navigator.language,
    since: stamp,
    ...appearance(),
  }),
  frame: (frame) => take(frame),
  caughtUp,
  state: (state) => banner.state(state),
  stranger: arrive,
});

const rooms = new Rooms((room) => openRoom(room), (room) => matches.next(room));

const matches = new Matches({
  go: (match) => void boards.goTo(match),
  roomTitle: (room) => rooms.get(room)?.title ?? "",
  isInFront: (match) => logs.get(rooms.current ?? "")?.staged === match,
});

const composer = new Composer({
  complete: async (text) =>
    (await connection.request({ t: "complete", room: rooms.current, text }))?.completions ?? [],
  names: () => namesHere().filter((name) => name !== me?.name),
  say,
});

const alerts = new Alerts(new Push(async (where) => Boolean((await connection.request({ t: "push", ...where }))?.ok)));

const boards = new Boards({
  rooms,
  matches: () => matches,
  alerts,
  logs,
  logOf,
  press: (room, token) => connection.request({ t: "press", room, token }),
});

const reading = new Reading(async (room, message) => Boolean(await connection.request({ t: "read", room, message })));

/** @type {import("./messages.js").Host} */
const host = {
  stage: new Stage(),
  press: async (room, token) => boards.follow(room, await connection.request({ t: "press", room, token }, { repeat: true })),
  older: (room, before) => connection.request({ t: "older", room, before }),
  say,
  scrolled: (log) => {
    if (!log.active) return;
    showJump(log);
    noteRead();
  },
  focusLine: () => composer.focus(),
  roomTitle: (room) => rooms.get(room)?.title ?? "",
  goHome: (match, room) => void boards.goTo({ match, room }),
  go: (room) => rooms.enter(room),
  staged: (how) => {
    matches.tick();
    noteAddress(how);
  },
  ended: (match, room) => {
    // A user who is writing stays here. A board that is not loaded is requested by a press.
    if (composer.isEmpty && logOf(room).has(match)) boards.goTo({ match, room });
  },
};

const sheet = new Sheet({
  ask: (room, text) => connection.request({ t: "say", room, text }),
  press: async (room, token) => boards.follow(room, await connection.request({ t: "press", room, token })),
  start: (room, chosen) => connection.request({ t: "start", room, ...chosen }),
  direct: () => rooms.list.find(({ kind }) => kind === "direct")?.room ?? "",
  begun: (room, done) => {
    rooms.enter(room);
    const log = logOf(room);
    log.jump();
    log.answer(done);
    boards.follow(room, done);
  },
  refused: (room, text) => logOf(room).refusals.show(text),
});

// Below many matches, the list of users comes last.
const side = byId("side-scroll");
side.append(new LowerEdge(side, side.children).element);

/** @type {{ [T in keyof Wire.Frames]: (frame: Wire.Frames[T]) => void }} */
const FRAMES = {
  welcome({ build, push, you, language, rooms: list, matches: open, reset, stamp: newest, read }) {
    // Another tab has logged in to another account: show nothing of the previous one.
    if (me && me.id !== you.id) return location.reload();
    me = you;
    speak(language);
    if (build !== BUILD) banner.renew(build, !composer.isEmpty); // an old page may not understand a new server
    dressStone(byId("self-stone"), me);
    const self = byId("self-name", HTMLAnchorElement);
    setText(self, me.name);
    self.href = addressOf({ name: "people", argument: me.name });
    table.classList.remove("stranger", "unknown");
    table.hidden = false;
    greeted.resolve(null);
    if (reset) {
      stamp = 0;
      for (const log of logs.values()) log.reset();
    }
    starting = stamp === 0;
    catchingUp = true;
    stampThen = newest;
    reading.begin(read);
    // A new user finds nothing marked as new.
    isNewcomer = starting && Object.keys(read).length === 0;
    for (const { room } of list) {
      logOf(room).beginCatchUp();
      if (starting) logOf(room).readUpTo = isNewcomer ? null : read[room] ?? 0;
    }
    isTold = false;
    FRAMES.rooms({ t: "rooms", rooms: list, matches: open });
    isTold = true;
    enterComposer();
    alerts.welcome(push);
    if (isOpened && !(places.isLost && rooms.current === null)) return;
    isOpened = true;
    if (wished?.whom !== undefined) rooms.enter(HOUSE);
    // Some places request something, which is possible after the welcome.
    else queueMicrotask(() => void openPlace(router.here));
  },

  words({ language }) {
    const isOther = document.documentElement.lang !== language;
    speak(language);
    if (isOther && rooms.current === null) void openPlace(router.here);
    rooms.show(rooms.list, mine);
    enterComposer();
    matches.tick();
    nav.show(router.here.name);
    showHome();
    for (const log of logs.values()) log.tick();
  },

  rooms({ rooms: list, matches: open }) {
    rooms.show(list, open);
    if (rooms.current !== null && !rooms.get(rooms.current)) router.go({ name: "", argument: "" });
    mine = open;
    showHome();
    const begun = matches.show(open);
    if (isTold) for (const match of begun) boards.tell(match);
    for (const { room } of list) {
      logOf(room).staging.propose(open.filter((match) => match.proposed && match.room === room));
    }
    const { waiting } = rooms;
    document.title = waiting ? `(${waiting}) Azumaya` : "Azumaya";
    void navigator.setAppBadge?.(waiting).catch(() => {}); // only an installed app has one
  },

  message({ message }) {
    const log = logOf(message.room);
    // Only messages in the order of stamps prove that none before is missing.
    if (!catchingUp && !log.older.has(message)) stamp = Math.max(stamp, message.stamp);
    const wasActive = log.active; // its end may lead away
    const isNews = log.put(message, { first: starting, wanted: boards.awaits(message.screen.match) });
    if (!starting && message.screen.match && !message.screen.mine) places.hear();
    if (isNews && !wasActive) rooms.addUnread(message.room);
    noteRead();
    boards.arrived(message, isNews);
  },

  gone({ room, message }) {
    logs.get(room)?.remove(message);
  },

  people({ names }) {
    people = names;
    showPeople();
    showHome();
  },

  farewell({ text }) {
    keepLastWord(text);
  },
};

/** @param {Wire.Frame} frame unknown frames, of a newer server, are ignored */
function take(frame) {
  /** @type {Record<string, (frame: any) => void>} */
  const takers = FRAMES;
  if (Object.hasOwn(takers, frame.t)) takers[frame.t]?.(frame);
}

/** @param {string} room */
function logOf(room) {
  const known = logs.get(room);
  if (known) return known;
  if (!me) throw new Error("rooms come after the welcome");
  const log = new Log(host, room, me);
  logs.set(room, log);
  byId("logs").append(log.element);
  return log;
}

function caughtUp() {
  starting = false;
  catchingUp = false;
  stamp = Math.max(stamp, stampThen);
  for (const log of logs.values()) log.endCatchUp();
  if (isNewcomer) for (const [room, { newest }] of logs) if (newest !== null) reading.note(room, newest);
  isNewcomer = false;
  noteRead();
  if (wished) void startWished();
}

// The end of the room in front has been read, if the page is visible.
function noteRead() {
  const log = logs.get(rooms.current ?? "");
  if (catchingUp || document.hidden || host.stage?.covers || !log?.place.follows || log.newest === null || rooms.current === null) return;
  reading.note(rooms.current, log.newest);
}

document.addEventListener("visibilitychange", () => {
  connection.request({ t: "appearance", ...appearance() });
  noteRead();
});

async function arrive() {
  if (isChanging()) return; // the answer says who this is
  // The previous account is logged out: start from an empty page.
  if (me) return location.reload();
  banner.state("open");
  greeted.resolve(null);
  if (!wished && isForStrangers(router.here.name) && !hasLastWord()) return openPlace(router.here);
  await nameThem();
}

/** @param {string} name of a place */
function isForStrangers(name) {
  return name === "" || name === "nowhere";
}

/** Ask the stranger on the home page for a name. Back leads home again. */
function enter() {
  history.pushState(null, "");
  void nameThem();
}

async function nameThem() {
  table.hidden = true;
  await arrival.welcome(wished ? wishOf(wished) : "");
  connection.open();
}

/**
 * @param {string} room
 * @param {string} text
 * @returns {Promise<import("./composer.js").Outcome>}
 */
async function say(room, text) {
  const log = logOf(room);
  log.clearDivider();
  log.refusals.show();
  log.jump();
  const done = await connection.request({ t: "say", room, text, seen: log.seen, staged: log.staged });
  if (!done) return "lost";
  const isTaken = done.private && sheet.takes(room, done.private);
  log.answer(isTaken ? { ...done, private: null } : done, text.trim().split(/\s/)[0]?.toLowerCase());
  boards.follow(room, done);
  return done.ok ? "said" : "refused";
}

// --------------------------------------------------------------------- rooms

/** @param {Wire.Room} room */
function openRoom({ room, title }) {
  for (const log of logs.values()) if (log.active) log.close();
  byId("place").hidden = true;
  byId("room").hidden = false;
  byId("room").append(byId("banner"));
  nav.show("rooms");
  setText(byId("room-title"), title);
  enterComposer();
  const log = logOf(room);
  log.open(title);
  showPeople();
  showJump(log);
  noteRead();
}

byId("play").addEventListener("click", () => atRoom((room) => sheet.play(room)));
byId("help").addEventListener("click", () => atRoom((room) => sheet.help(room)));

/** @param {(room: string) => void} act called with the current room, or the first one */
function atRoom(act) {
  rooms.drawer.close();
  const room = rooms.current ?? rooms.list[0]?.room;
  if (room !== undefined) act(room);
}

// -------------------------------------------------------------------- places

let isOpened = false; // is the place of the address shown?
let opening = 0; // how many places are being opened
const places = new Places({
  request: (frame) => connection.request(frame),
  press: host.press,
  follow: (room, done) => boards.follow(room, done),
  isHere: ({ name, argument }) => router.here.name === name && router.here.argument === argument,
  enter: (room) => rooms.enter(room),
  start: (game, whom) => wish({ game, whom }),
  invite: (game, kind) => wish({ game, kind }),
  challenge: (name) => atRoom((room) => sheet.play(room, { whom: name })),
  login: enter,
});

/** @param {{ game: string, whom?: string, kind?: string }} what to start, once the user has a name */
function wish(what) {
  wished = what;
  if (me) void startWished();
  else enter();
}

// Games against the computer or alone are played in the direct chat: they are nothing for others.
async function startWished() {
  const { game = "", whom = "", kind = "" } = wished ?? {};
  wished = null;
  if (kind) return atRoom((room) => sheet.start(room, game, kind));
  const start = { game, whom, options: {}, side: null, wishes: { clock: "" } };
  const done = await connection.request({ t: "start", room: HOUSE, ...start });
  if (done?.begun) rooms.enter(HOUSE);
  boards.follow(HOUSE, done);
  if (!done?.ok) announce(done?.error ?? done?.private?.text ?? word("lost"));
}

/** @param {import("./router.js").Place} place */
function openPlace(place) {
  return banner.during(reach(place));
}

/** @param {import("./router.js").Place} place */
async function reach({ name, argument, ply = null }) {
  rooms.drawer.close();
  if (!me && isForStrangers(name)) {
    wished = null;
    byId("arrival").hidden = true;
    table.classList.remove("unknown");
    table.classList.add("stranger");
    table.hidden = false;
  }
  opening += 1;
  try {
    if (name === "rooms" && rooms.get(argument)) {
      rooms.enter(argument);
      noteAddress();
    } else if (name === "g") {
      await openGame(argument, ply);
    } else {
      await showPlace(name, argument);
    }
  } finally {
    opening -= 1;
  }
}

/**
 * @param {string} name
 * @param {string} argument
 */
function showPlace(name, argument) {
  for (const log of logs.values()) if (log.active) log.close();
  rooms.enter(null);
  host.stage?.show(null);
  byId("room").hidden = true;
  byId("place").hidden = false;
  byId("place").append(byId("banner"));
  nav.show(name);
  return places.show(name, argument);
}

/**
 * @param {string} code of a match
 * @param {number | null} ply of its replay
 */
async function openGame(code, ply) {
  for (const [room, log] of ply === null ? logs : []) {
    const match = log.matchOf(code);
    if (match === null) continue;
    const isThere = log.stagedCode === code;
    if (isThere) log.staging.pinned?.card?.leaveReplay();
    if (!isThere || !log.active) void boards.goTo({ match, room });
    return;
  }
  const done = await connection.request({ t: "open", code, ply });
  if (router.here.argument !== code) return;
  if (done?.match && done.room) return void boards.goTo({ match: done.match, room: done.room }, { comes: true, past: done.private });
  await showPlace("nowhere", "");
  if (done?.private) places.showScreen(done.private);
  else places.say(done?.error ?? word("lost"));
}

function showHome() {
  places.know({ me, matches: mine, people });
}

/**
 * Show the address of what is shown: the match on the stage, else the room. Back skips boards that
 * came by themselves.
 *
 * @param {{ ply?: number | null, isChosen?: boolean }} how `ply` of its replay, by default as before;
 *   `isChosen` by the user
 */
function noteAddress({ ply, isChosen = false } = {}) {
  if (rooms.current === null) return;
  const code = logOf(rooms.current).stagedCode;
  const before = router.here;
  const place = code ? { name: "g", argument: code } : { name: "rooms", argument: rooms.current };
  const isSame = before.name === place.name && before.argument === place.argument;
  const isHere = before.name === "g" || before.name === "rooms";
  const wasReplay = isSame && before.ply !== null;
  if (wasReplay && ply === null && history.state?.isReplay) return history.back();
  // Back from a replay leads to its match.
  const isReplay = isSame && !wasReplay && typeof ply === "number" && !opening;
  const replaces = !isReplay && (isSame || opening > 0 || (isHere && !isChosen));
  router.note({ ...place, ply: ply === undefined && isSame ? before.ply : ply }, { replaces, state: { isReplay } });
}

// ------------------------------------------------------------- the line, the talk

document.addEventListener("keydown", (event) => {
  if (event.key !== "F2" || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (document.querySelector("dialog[open]")) return;
  event.preventDefault();
  if (!matches.next()) announce(word("next-none"));
});

function enterComposer() {
  if (rooms.current !== null) composer.enter(rooms.current, { isDirect: isDirect() });
}

function isDirect() {
  return rooms.get(rooms.current)?.kind === "direct";
}

function namesHere() {
  return isDirect() ? [] : people;
}

function showPeople() {
  const names = namesHere();
  setText(byId("room-people"), names.length ? listed(names) : "");
  const list = byId("people");
  const before = new Map([...list.children].map((one) => [one.textContent, one]));
  arrange(list, names.map((name) => before.get(name) ?? make("li", {}, profileOf(name, "person"))));
}

/** @param {Log} log */
function showJump(log) {
  byId("jump").hidden = log.place.follows || Boolean(host.stage?.covers);
  setText(byId("jump-text"), log.place.fresh ? word("jump-new", { count: log.place.fresh }) : word("jump"));
}

byId("jump").addEventListener("click", () => {
  logs.get(rooms.current ?? "")?.jump();
  composer.focus();
});

// ---------------------------------------------------------------- connection

// The address belongs to the rooms: the skip link must not change it.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  composer.focus();
});

byId("retry").addEventListener("click", () => connection.retry());

// ------------------------------------------------------------------- account

/** Return how the page is shown, with the width for a board in device pixels (50rem: see board.css). */
function appearance() {
  const pixels = Math.ceil(Math.min(window.innerWidth, 800) * window.devicePixelRatio);
  return { theme: window.theme.now, pixels, visible: !document.hidden };
}

bindSounds();

// --------------------------------------------------------------------- looks

// Without an on-screen keyboard, focus the input line at once.
byId("rooms").addEventListener("click", (event) => {
  const hasPlace = matchMedia("(hover: hover) and (min-width: 768px) and (min-height: 480px)").matches;
  const isLink = event.target instanceof Element && event.target.closest("a");
  if (hasPlace && isLink) composer.focus();
});

setInterval(() => {
  logs.get(rooms.current ?? "")?.tick();
  matches.tick();
}, 30_000);

// A phone's keyboard takes a part of the height.
const viewport = window.visualViewport;
viewport?.addEventListener("resize", () => {
  document.documentElement.style.setProperty("--height", `${viewport.height}px`);
});

// Before the first key, a ring around what the page has focused says nothing.
const root = document.documentElement;
root.classList.add("unkeyed");
// The browser would open a file that is dropped beside its place.
for (const kind of /** @type {const} */ (["dragover", "drop"])) {
  addEventListener(kind, (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
}
addEventListener("keydown", () => root.classList.remove("unkeyed"), { once: true });

speak(browserLanguage());
bindAccount(() => connection.request({ t: "appearance", ...appearance() }));
void banner.during(greeted.promise);
connection.open();
// Opens the page without a network. Browsers allow it over HTTPS and on this machine.
navigator.serviceWorker?.addEventListener("message", ({ data: { room, match } }) => {
  rooms.enter(room);
  if (!logOf(room).reveal(match)) matches.lead(match);
});
navigator.serviceWorker?.register(fileUrl("worker.js"), { scope: document.baseURI }).catch(() => {});
