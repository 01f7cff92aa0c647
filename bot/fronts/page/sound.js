// Soft clicks of pieces, made here. They are on until they are switched off in this browser.

import { byId, iconUrl, painted } from "./dom.js";

const KEY = "azumaya-sound"; // "off": by choice
const LATE = 300; // milliseconds after which a click would come too late
const IDLE = 20_000; // milliseconds until the device may rest
const SECONDS = 0.9; // of the longest one

/** @typedef {"move" | "capture" | "other" | "end"} Kind `other`: a move of the opponent */

/**
 * Knocks by kind: seconds, hertz, seconds until one has faded, loudness, share of noise.
 *
 * @type {Record<Kind, [at: number, pitch: number, fade: number, gain: number, noise: number][]>}
 */
const KNOCKS = {
  move: [[0, 620, 0.035, 0.2, 0.5], [0, 240, 0.06, 0.22, 0]],
  other: [[0, 470, 0.035, 0.16, 0.45], [0, 180, 0.07, 0.2, 0]],
  capture: [[0, 620, 0.035, 0.2, 0.5], [0.08, 760, 0.03, 0.15, 0.6], [0.15, 880, 0.03, 0.12, 0.6], [0, 220, 0.07, 0.2, 0]],
  end: [[0, 392, 0.45, 0.1, 0.02], [0.11, 494, 0.45, 0.09, 0.02], [0.22, 587, 0.6, 0.09, 0.02]],
};

/** @type {AudioContext | null} */
let audio = null;
/** @type {Map<Kind, AudioBuffer>} */
const made = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;
let isOn = read();

/** Return what plays sounds. Browsers allow it only after a press. null: this one has none. */
export function device() {
  if ("AudioContext" in window) audio ??= new AudioContext();
  return audio;
}

/**
 * Play a sound, unless the page is in the background or nothing has been pressed yet.
 *
 * @param {Kind} kind
 */
export async function play(kind) {
  if (!isOn || document.hidden || navigator.userActivation?.hasBeenActive === false) return;
  await painted(); // A device takes long to open.
  const found = device();
  if (!found) return;
  clearTimeout(resting);
  resting = setTimeout(() => void found.suspend(), IDLE);
  await Promise.race([found.resume(), new Promise((resolve) => void setTimeout(resolve, LATE))]);
  if (found.state !== "running") return;
  let buffer = made.get(kind);
  if (!buffer) {
    const wave = samples(kind, found.sampleRate);
    buffer = new AudioBuffer({ length: wave.length, sampleRate: found.sampleRate });
    buffer.copyToChannel(wave, 0);
    made.set(kind, buffer);
  }
  const source = new AudioBufferSourceNode(found, { buffer });
  source.connect(found.destination);
  source.start();
}

/**
 * Return the wave of a sound, between -1 and 1. It starts and ends in silence.
 *
 * @param {Kind} kind
 * @param {number} rate samples per second
 */
export function samples(kind, rate) {
  const wave = new Float32Array(Math.ceil(rate * SECONDS));
  let seed = 1;
  for (const [at, pitch, fade, gain, noise] of KNOCKS[kind]) {
    for (let sample = Math.ceil(at * rate); sample < wave.length; sample += 1) {
      const time = sample / rate - at;
      seed = (seed * 16_807) % 2_147_483_647;
      const hiss = (2 * seed) / 2_147_483_647 - 1;
      const body = Math.sin(2 * Math.PI * pitch * time) * (1 - noise) + hiss * noise * Math.exp(-time / 0.006);
      const ends = Math.min(1, time / 0.002, (SECONDS - sample / rate) / 0.05);
      wave[sample] = (wave[sample] ?? 0) + gain * body * ends * Math.exp((-5 * time) / (fade * 2));
    }
  }
  return wave;
}

/** Let the button switch the sounds. */
export function bindSounds() {
  const button = byId("sound");
  const show = () => {
    button.setAttribute("aria-pressed", String(isOn));
    button.querySelector("use")?.setAttribute("href", iconUrl(isOn ? "sound" : "mute"));
  };
  button.addEventListener("click", () => {
    isOn = !isOn;
    try {
      if (isOn) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, "off");
    } catch {
      // Storage may be blocked. Then the choice lasts as long as the page.
    }
    show();
    play("move");
  });
  show();
}

function read() {
  try {
    return localStorage.getItem(KEY) !== "off";
  } catch {
    return true;
  }
}
