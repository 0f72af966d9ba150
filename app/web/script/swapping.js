/* Pages change in place: no reload, and the focus stays. */
function own(url) {
  return url.origin === location.origin && url.pathname === location.pathname;
}

/* Where the focus was, in words that survive a new board. */
function place(element) {
  if (!element || !element.closest || !element.closest("main")) return null;
  const at = element.closest("[data-at]") || element.querySelector("[data-at]");
  return { id: element.id, at: at && at.getAttribute("data-at"), name: element.name, point: at && centre(at) };
}

function refocus(was, moved) {
  if (was && was.still) return;
  let target = null;
  if (was && was.at) {
    const piece = doc.querySelector('main [data-at="' + CSS.escape(was.at) + '"]');
    target = piece && (piece.closest("a") || piece.querySelector("a"));
  }
  if (!target && was && was.point) target = nearest(was.point);
  if (!target && was && was.id) target = doc.getElementById(was.id);
  if (!target && moved === "played") target = links()[0];
  if (!target && moved) target = doc.querySelector("main .side .note[role=status]");
  if (!target) target = doc.getElementById(moved ? "now" : "choose") || doc.getElementById("now");
  if (!target) return;
  if (target.matches(".note")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/* Whoever plays by keys sees where the focus is, also where the new page is longer or shorter than the old one. */
function reveal(element) {
  if (!element || !element.matches(":focus-visible")) return;
  const box = element.getBoundingClientRect();
  if (box.bottom < 8 || box.top > innerHeight - 8) element.scrollIntoView({ block: "center", behavior: "instant" });
}

/* As the language of the page writes numbers: ۱۲ in Persian. */
function figures(value) {
  return new Intl.NumberFormat(doc.documentElement.lang).format(value);
}

/* A pause after each, where its words don't end in one; no space between two sentences of Chinese and Japanese. */
function spoken(parts) {
  const wide = /^(zh|ja)/.test(doc.documentElement.lang);
  return parts.filter(Boolean).map(function (one) {
    return /[.:!?…)。：！？）」』؟]$/.test(one) ? one : one + (wide ? "。" : ".");
  }).join(wide ? "" : " ");
}

function inSight(element) {
  const there = element.getBoundingClientRect();
  return there.top >= 0 && there.bottom <= innerHeight;
}

/* The address of what is shown. */
let shown = location.pathname + location.search;

/* `moved`: a form was sent; "played": with a move. `sent` is the form. */
function show(text, url, was, moved, sent) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const main = next.querySelector("main");
  if (!main) return false;
  const old = doc.querySelector("main");
  gathered(sent);
  const kept = whereabouts(old);
  old.replaceWith(doc.importNode(main, true));
  doc.title = next.title;
  numbered();
  const icon = doc.querySelector('link[rel="icon"]'), turned = next.querySelector('link[rel="icon"]');
  if (icon && turned && icon.getAttribute("href") !== turned.getAttribute("href")) icon.replaceWith(doc.importNode(turned));
  history.replaceState(null, "", url);
  shown = location.pathname + location.search;
  given();
  save();
  dress(doc.querySelector("main"));
  refocus(was, moved);
  if (!moved || scrollY > 200) goBackTo(doc.querySelector("main"), kept);
  reveal(doc.activeElement);
  const answered = moved === "sent" && doc.querySelector("main .side .note [data-say]");
  const said = doc.querySelectorAll(answered ? "main .note [data-say]" : "main [data-say]");
  hear(spoken(Array.from(said, function (one) { return one.textContent.trim(); })));
  const told = doc.querySelector("main .note [data-say], main [data-say=told]");
  doc.getElementById("heard").classList.toggle("told", Boolean(moved && told && !inSight(told)));
  return true;
}

async function load(address, options, was, moved, otherwise, sent) {
  doc.body.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, options);
    if (!show(await answer.text(), answer.url, was, moved, sent)) otherwise();
  } catch (error) {
    otherwise();
  } finally {
    doc.body.removeAttribute("aria-busy");
  }
}

doc.addEventListener("click", function (event) {
  const filled = point(event);
  if (filled || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.target.closest("main[data-live] a[href]");
  if (!link) return;
  const address = new URL(link.getAttribute("href"), location.href);
  if (!own(address) || !address.search && !address.href.includes("?")) return;
  if (["log", "ply", "go"].some(function (name) { return address.searchParams.has(name); })) return;
  event.preventDefault();
  load(address, {}, place(link), false, function () { location.href = address; });
});

doc.addEventListener("submit", function (event) {
  const form = event.target.closest("main[data-live] form[method=post]");
  if (!form || !own(new URL(form.action || location.href, location.href))) return;
  event.preventDefault();
  const button = event.submitter;
  const body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  const takesBack = button && button.value === "take_back";
  const moved = takesBack || form.querySelector("[name=question], [name=after]") ? "played" : "sent";
  load(location.pathname, { method: "POST", body: body }, place(button), moved, function () {
    if (button && button.name) {
      const kept = doc.createElement("input");
      kept.type = "hidden"; kept.name = button.name; kept.value = button.value;
      form.append(kept);
    }
    form.submit();
  }, form);
});
