/* Nothing typed is lost: fields and opened parts outlive a new page, a reload and a refusal. */
let memory = { fields: {}, parts: {} }, forgotten = false;
const LIVE = "main:is([data-live], [data-tag]) ";
const FIELDS = LIVE + "textarea, " + LIVE + "input:not([type=hidden]), " + LIVE + "select";

function slot() {
  const main = doc.querySelector("main[data-keep]");
  return main && "kept " + main.dataset.keep;
}

function keyed(root) {
  const seen = {};
  return Array.from(doc.querySelectorAll(root)).filter(function (one) {
    return !one.readOnly && !one.closest("[data-unkept]");
  }).map(function (one) {
    const name = one.id || one.name || (one.firstElementChild && one.firstElementChild.textContent.trim()) || "";
    seen[name] = (seen[name] || 0) + 1;
    return [name + " " + seen[name], one];
  });
}

function ticked(field) {
  return field.type === "checkbox" || field.type === "radio";
}

function changed(field) {
  if (ticked(field)) return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  const first = Array.from(field.options).find(function (option) { return option.defaultSelected; }) || field.options[0];
  return Boolean(first) && field.value !== first.value;
}

function without(all, there) {
  return Object.fromEntries(Object.entries(all).filter(function ([key]) { return !there.has(key); }));
}

/* What differs from the page as it came, and what was kept of pages before it that is not on it. A form that has
   just been sent is done with. */
function gathered(but) {
  const fields = keyed(FIELDS), parts = keyed(LIVE + "details");
  memory.fields = without(memory.fields, new Map(fields));
  memory.parts = without(memory.parts, new Map(parts));
  fields.forEach(function ([key, field]) {
    const sent = but && but.contains(field);
    if (changed(field) && !sent) memory.fields[key] = ticked(field) ? field.checked : field.value;
  });
  parts.forEach(function ([key, part]) {
    if (part.dataset.came !== undefined && String(part.open) !== part.dataset.came) memory.parts[key] = part.open;
  });
}

function given() {
  keyed(LIVE + "details").forEach(function ([key, part]) {
    part.dataset.came = part.open;
    if (key in memory.parts) part.open = memory.parts[key];
  });
  keyed(FIELDS).forEach(function ([key, field]) {
    if (!(key in memory.fields) || changed(field)) return;
    if (ticked(field)) field.checked = memory.fields[key];
    else if (field.tagName !== "SELECT" || offers(field, memory.fields[key])) field.value = memory.fields[key];
    const part = field.closest("details");
    if (part) part.open = true;
  });
}

/* Where the reader is in the old page: the place, the parts that scroll, the cursor in a field. */
function whereabouts(main) {
  const active = doc.activeElement, inside = active && main.contains(active);
  const anchor = inside && active.id ? active : main.querySelector("#board");
  return {
    scrolled: Array.from(main.querySelectorAll("[tabindex]"), function (one) { return [one.className, one.scrollTop]; })
      .filter(function (one) { return one[0] && one[1]; }),
    anchor: anchor && anchor.id,
    top: anchor && anchor.getBoundingClientRect().top,
    selection: inside && active.matches("textarea, input[type=text]") ? [active.id, active.selectionStart, active.selectionEnd] : null
  };
}

function goBackTo(main, kept) {
  kept.scrolled.forEach(function (one) {
    const there = Array.from(main.querySelectorAll("[tabindex]")).find(function (other) { return other.className === one[0]; });
    if (there) there.scrollTop = one[1];
  });
  const field = kept.selection && kept.selection[0] && doc.getElementById(kept.selection[0]);
  if (field && field === doc.activeElement) field.setSelectionRange(kept.selection[1], kept.selection[2]);
  const anchor = kept.anchor && doc.getElementById(kept.anchor);
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - kept.top, behavior: "instant" });
}

function save() {
  if (!slot() || forgotten) return;
  gathered();
  try {
    sessionStorage.setItem(slot(), JSON.stringify(memory));
  } catch (error) { /* a browser may refuse: then a reload forgets */ }
}

function remember() {
  try {
    memory = JSON.parse(slot() && sessionStorage.getItem(slot())) || memory;
  } catch (error) { /* as above */ }
  given();
}

/* Signing out leaves nothing behind in the tab. */
doc.addEventListener("submit", function (event) {
  const action = event.target.getAttribute("action") || "";
  if (action === "/sign-out" || action === "/profile/end") {
    forgotten = true;
    try { sessionStorage.clear(); } catch (error) { /* there is nothing then */ }
  }
}, true);
addEventListener("pagehide", function () { save(); });
doc.addEventListener("change", function () { save(); });
