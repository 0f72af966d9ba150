/* Earlier positions without a reload, a replay of them, and steps that show their places on the board. */
const replay = { on: false, timer: 0, next: null, from: -1 };

function bar() {
  return doc.getElementById("plies");
}

function number(name) {
  return Number(bar().dataset[name]);
}

function addressOf(ply) {
  const way = bar().dataset;
  return ply >= number("last") ? way.base : way.base + "/" + ply + way.query;
}

async function visit(address, push) {
  const was = place(doc.activeElement);
  let text, url;
  try {
    const answer = await fetch(address);
    text = await answer.text();
    url = answer.url;
    if (!answer.ok) throw new Error(answer.status);
  } catch (error) {
    location.href = address;
    return;
  }
  if (push) history.pushState(null, "", url);
  if (!show(text, url, was, false)) { location.href = address; return; }
  if (bar()) hear(spoken([headline(), stepsOf(number("ply"))]));
}

function headline() {
  const head = doc.getElementById("now");
  return head ? head.textContent.trim() : "";
}

function isPosition(address) {
  const base = bar() && bar().dataset.base;
  return base && address.origin === location.origin && !address.searchParams.has("log") &&
    (address.pathname === base || /^\/\d+$/.test(address.pathname.replace(base, "")));
}

doc.addEventListener("click", function (event) {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest(".plies a[href], .eyes a[href], .story .log a[href]");
  if (link) {
    const address = new URL(link.href);
    if (!isPosition(address)) return;
    event.preventDefault();
    stopReplay();
    visit(address, true);
    return;
  }
  const button = event.target.closest("[data-replay]");
  if (button && replay.on) stopReplay();
  else if (button) startReplay();
});

doc.addEventListener("input", function (event) {
  if (event.target.id !== "ply-slider") return;
  stopReplay();
  const said = event.target.form.querySelector("output");
  said.textContent = said.dataset.words.replace("{ply}", figures(event.target.value));
});

doc.addEventListener("change", function (event) {
  if (event.target.id === "ply-slider") visit(addressOf(Number(event.target.value)), true);
});

doc.addEventListener("submit", function (event) {
  const slider = event.target.querySelector("#ply-slider");
  if (!slider) return;
  event.preventDefault();
  visit(addressOf(Number(slider.value)), true);
});

/* A link within the page changes the address too, but not what is shown. */
addEventListener("popstate", function () {
  if (!bar() || location.pathname + location.search === shown) return;
  stopReplay();
  visit(location.href, false);
});

doc.addEventListener("keydown", function (event) {
  if (!bar() || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.key === "Escape" && replay.on) { stopReplay(); return; }
  if (event.target.closest("input, textarea, select, [contenteditable], .board, .choose, .recent, dialog")) return;
  const here = number("ply"), last = number("last");
  const on = doc.documentElement.dir === "rtl" ? -1 : 1; // the way that the slider and its arrows go
  const to = { ArrowLeft: here - on, ArrowRight: here + on, Home: 0, End: last }[event.key];
  if (to === undefined || to < 0 || to > last || to === here) return;
  if (!/^Arrow/.test(event.key) && !event.target.closest("#plies")) return;
  event.preventDefault();
  stopReplay();
  visit(addressOf(to), true);
});

/* ---- the replay ---- */
function startReplay() {
  replay.on = true;
  const ply = number("ply"), last = number("last");
  advance(ply < last ? ply + 1 : Math.min(Number(bar().dataset.from) + 1, last));
}

function stopReplay() {
  clearTimeout(replay.timer);
  replay.on = false;
  paintReplay();
}

async function fetched(ply) {
  const answer = await fetch(addressOf(ply));
  if (!answer.ok) throw new Error(answer.status);
  return { text: await answer.text(), url: answer.url };
}

async function advance(ply) {
  const last = number("last");
  try {
    const coming = replay.next && replay.next.ply === ply ? replay.next.page : fetched(ply);
    const page = await coming;
    if (!replay.on || !bar()) return;
    show(page.text, page.url, { id: "ply-replay" }, false);
  } catch (error) {
    stopReplay();
    return;
  }
  const step = tell(ply);
  if (ply >= last || !replay.on) { stopReplay(); return; }
  replay.next = { ply: ply + 1, page: fetched(ply + 1) };
  replay.next.page.catch(function () {});
  replay.timer = setTimeout(advance, Math.min(1100 + 22 * step.length, 4000), ply + 1);
}

/* Marks the steps of a ply on the board, and says them. */
function tell(ply) {
  const steps = Array.from(doc.querySelectorAll('.story .recent .step[data-ply="' + ply + '"]'));
  steps.forEach(mark);
  doc.querySelectorAll('.trail[data-ply="' + ply + '"]').forEach(function (one) { one.classList.add("playing"); });
  const said = stepsOf(ply);
  if (said) hear(said);
  return said;
}

/* What happened with a ply, in the page's words: its sentences without the link to its position. */
function stepsOf(ply) {
  return Array.from(doc.querySelectorAll('.story .recent .step[data-ply="' + ply + '"]'), function (one) {
    const copy = one.cloneNode(true);
    copy.querySelectorAll("a").forEach(function (link) { link.remove(); });
    return copy.textContent.replace(/\s+/g, " ").trim();
  }).join(" ");
}

function paintReplay() {
  const button = doc.querySelector("[data-replay]");
  if (!button) return;
  button.textContent = replay.on ? button.dataset.stop : button.dataset.start;
  button.setAttribute("aria-pressed", String(replay.on));
}

/* ---- pointing at a step ---- */
function mark(step) {
  step.classList.add("shown");
  (step.dataset.marks || "").split(" ").forEach(function (name) {
    if (!name) return;
    const at = CSS.escape(name);
    doc.querySelectorAll('[data-spot="' + at + '"]').forEach(function (one) { one.classList.add("shown"); });
  });
  const trails = doc.querySelectorAll('.trail[data-ply="' + step.dataset.ply + '"]');
  trails.forEach(function (one) { one.classList.add("shown"); });
  if (trails.length) trails[0].closest(".trails").classList.add("pointing");
}

function unmark() {
  doc.querySelectorAll(".spot.shown, .trail.shown, .step.shown").forEach(function (one) { one.classList.remove("shown"); });
  doc.querySelectorAll(".trails.pointing").forEach(function (one) { one.classList.remove("pointing"); });
}

["pointerover", "focusin"].forEach(function (kind) {
  doc.addEventListener(kind, function (event) {
    if (replay.on) return;
    const step = event.target.closest && event.target.closest(".step[data-marks]");
    if (step && step.classList.contains("shown")) return;
    unmark();
    if (step) mark(step);
  });
});
