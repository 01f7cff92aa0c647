import assert from "node:assert/strict";
import { mock, test } from "node:test";
import "./browser.js";
import { LANGUAGES, ago, browserLanguage, listed, moment, speak, word } from "../../bot/fronts/page/words.js";

test("slots are filled, and one without a filling stays to be seen", () => {
  speak("en");
  assert.equal(word("turn-in", { room: "#lounge", name: "Ben" }), "Your turn in #lounge");
  assert.equal(word("turn-in", { room: "{room}" }), "Your turn in {room}");
  assert.equal(word("turn-in"), "Your turn in {room}");
  assert.equal(word("no such word"), "");
});

test("every language that one can arrive in has the same words", () => {
  const found = LANGUAGES.map(([code]) => {
    speak(code);
    const keys = [...document.querySelectorAll("#arrival [data-word]")].map((at) => at.dataset.word);
    return keys.map((key) => [key, Boolean(word(key))]);
  });
  assert.deepEqual(LANGUAGES.map(([, own]) => own), ["English", "Deutsch"]);
  assert.ok(found[0].length > 3 && found.flat().every(([, is]) => is));
});

test("what is on the page already is said in the new language", () => {
  speak("de");
  assert.equal(document.documentElement.lang, "de");
  assert.equal(document.querySelector("[data-word=enter]").textContent, "Eintreten");
  const close = document.getElementById("side-close");
  assert.deepEqual([close.getAttribute("aria-label"), close.title], ["Schließen", "Schließen"]);
});

test("the first language of the browser that we speak is taken, else English", () => {
  const languages = (...found) => {
    mock.getter(navigator, "languages", () => found);
    return browserLanguage();
  };
  assert.equal(languages("fr-FR", "de-AT", "en"), "de");
  assert.equal(languages("EN-gb"), "en");
  assert.equal(languages("fr", "constructor", "toString"), "en");
  mock.restoreAll();
});

test("lists and times are written as the language writes them", () => {
  mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 21, 23, 30) });
  const before = (minutes) => ago(Date.now() / 1000 - 60 * minutes);
  speak("en");
  assert.equal(listed(["Anna", "Ben", "Cleo"]), "Anna, Ben, and Cleo");
  assert.deepEqual([before(0), before(5), before(59)], ["now", "5 min. ago", "59 min. ago"]);
  assert.match(before(120), /^9:30\sPM$/);
  assert.match(before(2 * 24 * 60), /^Thu, 11:30\sPM$/);
  assert.match(before(30 * 24 * 60), /Oct 22, 2026/);
  speak("de");
  assert.equal(listed(["Anna", "Ben"]), "Anna und Ben");
  assert.equal(before(5), "vor 5 Min.");
  mock.timers.reset();
});

test("a moment that is not today has its day, and the time as clocks show it where the reader lives", () => {
  mock.timers.enable({ apis: ["Date"], now: new Date(2026, 10, 21, 14, 22) });
  const told = (languages, code) => {
    mock.getter(navigator, "languages", () => languages);
    speak(code);
    const moments = [[21, 23, 59], [22, 9, 5], [22, 23, 0], [23, 0, 1]];
    const said = moments.map(([day, ...time]) => moment(new Date(2026, 10, day, ...time) / 1000));
    mock.restoreAll();
    return said.map((one) => one.replace(/\s/gu, " "));
  };
  assert.deepEqual(told(["en-US"], "en"), ["11:59 PM", "tomorrow, 9:05 AM", "tomorrow, 11:00 PM", "Nov 23, 12:01 AM"]);
  assert.deepEqual(told(["en-GB"], "en"), ["23:59", "tomorrow, 09:05", "tomorrow, 23:00", "23 Nov, 00:01"]);
  assert.deepEqual(told(["de-AT"], "de"), ["23:59", "morgen, 09:05", "morgen, 23:00", "23. Nov., 00:01"]);
  speak("en");
  mock.timers.reset();
});
