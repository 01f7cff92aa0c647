// Messages, boards and answers as a server sends them, for the tests of logs.

// jsdom fetches no pictures.
globalThis.Image ??= class {
  set src(_) {
    queueMicrotask(() => this.onerror());
  }
};

export const PICTURE = { url: "data:image/png;base64,AA", width: 100, height: 100, alt: "", cells: [] };

export const ANNA = { id: 1, name: "Anna" };
export const BEN = { id: 2, name: "Ben" };

export function message(id, screen = {}, more = {}) {
  const shown = typeof screen === "string" ? { text: screen } : screen;
  return { id, stamp: id, room: "lounge", author: BEN, at: 1_000_000 + id, screen: shown, ...more };
}

export function board(version, more = {}) {
  const cells = [{ box: [0, 0, 10, 10], label: "a1", token: `step:7:${version}:a1`, legal: true }];
  const picture = { url: `data:image/png;base64,${version}`, width: 100, height: 100, alt: "", cells };
  const buttons = [[{ label: "Resign", token: `resign:${version}` }]];
  return { title: "Othello", text: `Version ${version}`, picture, buttons, match: 7, version, ...more };
}

export function answer(more) {
  return { t: "done", id: 1, ok: true, error: null, private: null, completions: [], more: false, repeated: false, ...more };
}
