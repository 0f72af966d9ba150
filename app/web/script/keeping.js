/* Nothing typed is lost: what a page held when another took its place comes back with it. */
const typed = new Map();
const TYPED = "textarea, input[type=text], input[type=email], input[type=number]";

function nameOf(field) {
  return field.id || (field.form && field.form.id || "") + "/" + field.name;
}

function folded(details) {
  const summary = details.querySelector("summary");
  return details.id || (summary ? summary.textContent.trim().slice(0, 60) : "");
}

/* What is typed, opened and scrolled in the old page. A form that was sent is done with. */
function keep(main) {
  main.querySelectorAll(TYPED).forEach(function (field) {
    const sent = field.form && field.form.dataset.busy;
    if (!sent && !field.readOnly && field.value !== field.defaultValue) typed.set(nameOf(field), field.value);
    else typed.delete(nameOf(field));
  });
  const active = doc.activeElement;
  const anchor = active && active.id && main.contains(active) ? active : main.querySelector("#board");
  return {
    opened: Array.from(main.querySelectorAll("details[open]"), folded),
    scrolled: Array.from(main.querySelectorAll("[tabindex]"), function (one) { return [one.className, one.scrollTop]; })
      .filter(function (one) { return one[0] && one[1]; }),
    anchor: anchor && anchor.id,
    top: anchor && anchor.getBoundingClientRect().top,
    selection: active && main.contains(active) && active.matches(TYPED) && active.type !== "number" && active.type !== "email"
      ? [active.id, active.selectionStart, active.selectionEnd] : null
  };
}

function bringBack(main, kept, still) {
  main.querySelectorAll(TYPED).forEach(function (field) {
    if (typed.has(nameOf(field)) && !field.readOnly) field.value = typed.get(nameOf(field));
  });
  main.querySelectorAll("details").forEach(function (one) {
    if (kept.opened.includes(folded(one))) one.open = true;
  });
  if (!still) return;
  kept.scrolled.forEach(function (one) {
    const there = Array.from(main.querySelectorAll("[tabindex]")).find(function (other) { return other.className === one[0]; });
    if (there) there.scrollTop = one[1];
  });
  const field = kept.selection && kept.selection[0] && doc.getElementById(kept.selection[0]);
  if (field && field === doc.activeElement) field.setSelectionRange(kept.selection[1], kept.selection[2]);
  const anchor = kept.anchor && doc.getElementById(kept.anchor);
  if (anchor) scrollBy({ top: anchor.getBoundingClientRect().top - kept.top, behavior: "instant" });
}
