/* A page that waits looks for news by itself: soon at first, then more seldom, never while it is hidden. */
const SOON = 1000, SELDOM = 60000;
const watch = { timer: 0, pause: SOON, looking: false, writing: false };

function lookIn(pause) {
  clearTimeout(watch.timer);
  const main = doc.querySelector("main[data-tag]");
  if (!main || doc.hidden) return;
  watch.pause = Math.min(pause, SELDOM);
  watch.timer = setTimeout(look, watch.pause * (0.85 + 0.3 * Math.random()));
}

/* Who is asked, and whose game is over, waits for messages only. */
function soon() {
  const main = doc.querySelector("main[data-tag]");
  return main && main.dataset.waits ? SOON : 15 * SOON;
}

/* The address without what was just done: once there is news, that is old. */
function unconfirmed() {
  const address = new URL(location.href);
  ["played", "done", "again", "asked", "nudged", "seen", "sent", "sign_in", "tried"].forEach(function (name) {
    address.searchParams.delete(name);
  });
  return address.pathname + address.search;
}

async function look() {
  const main = doc.querySelector("main[data-tag]");
  if (!main || watch.looking) return;
  if (replay.on || watch.writing || doc.body.hasAttribute("aria-busy")) { lookIn(2 * SOON); return; }
  watch.looking = true;
  const address = location.pathname + location.search, tag = main.dataset.tag;
  const heads = { "Tidepost-Visible": "1" };
  if (tag) heads["If-None-Match"] = '"' + tag + '"';
  try {
    const answer = await fetch(unconfirmed(), { cache: "no-store", headers: heads });
    const text = answer.status === 200 ? await answer.text() : "";
    const same = doc.querySelector("main[data-tag]") === main && location.pathname + location.search === address;
    if (answer.status === 404 || answer.status === 410) return;
    waiting(answer.headers.get("Tidepost-Waiting"));
    const then = same && answer.status === 200 && main.dataset.then;
    if (then && !/<main[^>]* data-tag/.test(text)) { location.assign(then); return; }
    if (answer.status === 200 && same && !doc.body.hasAttribute("aria-busy")) {
      const now = (answer.headers.get("ETag") || "").replace(/^W\//, "").replace(/"/g, "");
      /* A page that has no tag any more looks no further. */
      if (tag) news(text, answer.url);
      else if (now) main.dataset.tag = now;
      lookIn(tag ? soon() : watch.pause);
    } else {
      lookIn(answer.status === 304 ? watch.pause * 1.4 : answer.ok ? watch.pause : SELDOM);
    }
  } catch (error) {
    lookIn(SELDOM);
  } finally {
    watch.looking = false;
  }
}

/* How many games wait for the reader, in the tab. The server says it with each answer to a page that looks. */
let counted = "";

function waiting(many) {
  if (many === null) return;
  counted = many;
  numbered();
}

function numbered() {
  if (counted === "") return;
  const plain = doc.title.replace(/^\(\d+\) /, "");
  doc.title = counted === "0" ? plain : "(" + counted + ") " + plain;
}

function news(text, url) {
  const asked = doc.querySelector("main[data-asked]"), before = bar() ? number("last") : Infinity;
  const active = doc.activeElement;
  const was = active && active.closest("main") && active.id ? place(active) : null;
  show(text, url, was || { still: true }, false);
  const now = doc.querySelector("main[data-asked]");
  if (!asked && now) ring();
  const told = [headline()];
  for (let ply = before + 1; bar() && ply <= number("last"); ply++) told.push(stepsOf(ply));
  hear(spoken(told));
}

doc.addEventListener("visibilitychange", function () {
  clearTimeout(watch.timer);
  if (!doc.hidden) { watch.pause = SOON; look(); }
});
doc.addEventListener("compositionstart", function () { watch.writing = true; });
doc.addEventListener("compositionend", function () { watch.writing = false; });

/* ---- a sound, if this browser's user wants one ---- */
function wantsSound() {
  try { return localStorage.getItem("sound") === "on"; } catch (error) { return false; }
}

function ring() {
  if (!wantsSound() || !window.AudioContext) return;
  const context = new AudioContext();
  [660, 880].forEach(function (pitch, n) {
    const tone = context.createOscillator(), volume = context.createGain();
    const at = context.currentTime + 0.16 * n;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.5);
  });
}

function paintSound() {
  doc.querySelectorAll("[data-sound]").forEach(function (button) {
    button.setAttribute("aria-pressed", String(wantsSound()));
    button.textContent = wantsSound() ? button.dataset.off : button.dataset.on;
  });
}

doc.addEventListener("click", function (event) {
  if (!event.target.closest("[data-sound]")) return;
  try { localStorage.setItem("sound", wantsSound() ? "off" : "on"); } catch (error) { return; }
  paintSound();
  ring();
});
