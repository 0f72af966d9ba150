/* The board by keyboard, with what is under the cursor in words; and a list that typing narrows. */
function links() {
  return Array.from(doc.querySelectorAll("main .board svg a[data-at]:not([data-pick=other])"));
}

function centre(element) {
  const box = element.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/* Where the keyboard last was on the board. */
let walked = null;

/* One stop of the tabulator; from there the arrows walk. */
function cursor(link) {
  doc.querySelectorAll("main .board svg a[data-at]").forEach(function (one) {
    one.setAttribute("tabindex", one === link ? "0" : "-1");
  });
}

/* The nearest one in a direction: what lies to the side counts double. */
function beside(from, key) {
  const to = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const here = centre(from);
  let best = null, least = Infinity;
  links().forEach(function (one) {
    if (one === from) return;
    const there = centre(one);
    const along = (there.x - here.x) * to[0] + (there.y - here.y) * to[1];
    const aside = Math.abs((there.x - here.x) * to[1]) + Math.abs((there.y - here.y) * to[0]);
    if (along > 1 && along + 2 * aside < least) { best = one; least = along + 2 * aside; }
  });
  return best;
}

function nearest(point) {
  let best = null, least = Infinity;
  links().forEach(function (one) {
    const there = centre(one), far = Math.hypot(there.x - point.x, there.y - point.y);
    if (far < least) { best = one; least = far; }
  });
  return best;
}

function hear(text) {
  const heard = doc.getElementById("heard");
  if (!heard) return;
  heard.classList.remove("told");
  heard.textContent = text.replace(/\s+/g, " ").trim();
}

function words(link) {
  return link.dataset.does || link.getAttribute("aria-label") || link.getAttribute("data-at");
}

/* A new board: what each pick would do is its title and its name. */
function dressBoard() {
  const all = links();
  all.forEach(function (one) {
    if (!one.dataset.does) return;
    one.setAttribute("aria-label", one.dataset.does);
    const title = one.querySelector("title");
    if (title) title.textContent = one.dataset.does;
  });
  /* The first stop is a piece, where there are several: that is what most turns begin with. */
  const pieces = all.filter(function (one) { return one.dataset.pick === "piece"; });
  const usual = pieces.length > 2 ? pieces[0] : all[0];
  if (all.length) cursor(all.find(function (one) { return one === doc.activeElement; }) || usual);
}

doc.addEventListener("focusin", function (event) {
  const link = event.target.closest && event.target.closest("main .board svg a[data-at]");
  if (!link) return;
  cursor(link);
  walked = place(link);
  hear(words(link));
});

doc.addEventListener("keydown", function (event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  const typing = event.target.closest && event.target.closest("input, textarea, select");
  const help = doc.getElementById("keys");
  if (event.key === "?" && !typing && help) {
    event.preventDefault();
    if (help.open) help.close(); else help.showModal();
    return;
  }
  if (help && help.open || typing) return;
  const card = doc.querySelector("main [data-back]");
  if (event.key === "Escape" && card) {
    event.preventDefault();
    const here = doc.activeElement, asked = here === doc.getElementById("choose") || here === doc.getElementById("play");
    load(new URL(card.dataset.back, location.href), {}, asked && walked || place(here), false, function () {
      location.href = card.dataset.back;
    });
    return;
  }
  const undo = doc.querySelector("main button[value=take_back]");
  if (event.key === "Escape" && undo && !replay.on) {
    event.preventDefault();
    undo.focus({ preventScroll: true });
    reveal(undo);
    return;
  }
  if (event.key === "p" || event.key === "P") {
    const button = doc.getElementById("play");
    if (button) { event.preventDefault(); button.focus(); }
    return;
  }
  const link = event.target.closest && event.target.closest("main .board svg a[data-at]");
  const walks = event.key.startsWith("Arrow") || event.key.startsWith("Page");
  if (event.key === "b" || event.key === "B" || walks && event.target.id === "choose" && links().length) {
    const first = links().find(function (one) { return one.getAttribute("tabindex") === "0"; }) || links()[0];
    if (!first) return;
    event.preventDefault();
    if (first === doc.activeElement) hear(words(first));
    first.focus({ preventScroll: true });
    reveal(first);
  } else if (link && walks) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const all = links(), far = event.key === "PageDown" ? 1 : all.length - 1;
    const next = event.key.startsWith("Page") ? all[(all.indexOf(link) + far) % all.length] : beside(link, event.key);
    if (next) { next.focus({ preventScroll: true }); reveal(next); }
  }
}, true);

// Letters of one width and case, Western digits, and nothing that nobody sees, whichever keyboard typed them.
function plainly(text) {
  return text.normalize("NFKC").toLowerCase()
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, function (digit) { return digit.charCodeAt(0) & 15; })
    .replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");
}

doc.addEventListener("input", function (event) {
  const list = event.target.dataset && event.target.dataset.filter && doc.getElementById(event.target.dataset.filter);
  if (!list) return;
  const parts = plainly(event.target.value).split(/[\s>,;\u2010-\u2015\u2212\u2192\u3001\u30fc\u060c\u061b-]+/);
  list.querySelectorAll("li").forEach(function (row) {
    const text = plainly(row.textContent);
    row.hidden = !parts.every(function (part) { return text.includes(part); });
  });
});
