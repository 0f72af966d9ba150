/* A list made by pointing: the board fills the field that is meant, then the next empty one. */
function fields(form) {
  return Array.from(form.querySelectorAll("select[data-point]"));
}

function offers(field, name) {
  return Array.from(field.options).some(function (option) { return option.value === name; });
}

function mean(form, field) {
  fields(form).forEach(function (one) { one.classList.toggle("meant", one === field); });
  const said = form.querySelector("[data-meant]");
  if (said) said.textContent = field ? field.getAttribute("aria-label") : "";
  paint(form);
}

/* The form brings the words of the label: this file says nothing in any language. */
function labelled(form, name, field) {
  const facts = { place: name, field: field.getAttribute("aria-label") };
  return form.dataset.listed.replace(/\{(\w+)\}/g, function (whole, fact) { return facts[fact]; });
}

/* The value of the explorer, with a letter for a place that isn't its first choice; of two colours, which. */
function markOf(field) {
  const row = field.closest("li"), value = row && row.querySelector("select.value");
  if (!value) return field.dataset.mark;
  const colour = row.classList.contains("two-colours") ? row.querySelector("select").value.charAt(0).toUpperCase() : "";
  return colour + value.value + (field.dataset.point === "1" ? "" : field.dataset.mark.slice(-1));
}

function paint(form) {
  const used = {};
  /* First choices last, so that a place shows what it is the first choice for. */
  const byRank = fields(form).reverse().sort(function (one, other) { return other.dataset.point.localeCompare(one.dataset.point); });
  byRank.forEach(function (one) { if (one.value) used[one.value] = one; });
  doc.querySelectorAll("main svg [data-at]").forEach(function (piece) {
    const name = piece.getAttribute("data-at");
    const field = used[name];
    piece.classList.toggle("listed", Boolean(field));
    piece.setAttribute("aria-label", field ? labelled(form, name, field) : name);
    let mark = piece.querySelector(".listing");
    if (!field) { if (mark) mark.remove(); return; }
    if (!mark) {
      const box = piece.getBBox();
      mark = doc.createElementNS("http://www.w3.org/2000/svg", "text");
      mark.setAttribute("x", box.x + box.width / 2);
      mark.setAttribute("y", box.y + box.height / 2 + 8);
      mark.setAttribute("text-anchor", "middle");
      mark.setAttribute("class", "listing");
      piece.append(mark);
    }
    mark.textContent = markOf(field);
  });
}

/* Parts of a move, such as a payment: the board ticks the boxes of what is pointed at, one more each time, then none. */
function boxes(name) {
  return Array.from(doc.querySelectorAll("main [data-parts] [data-part]")).filter(function (one) {
    return name === undefined || one.dataset.part === name;
  });
}

function tick(name) {
  const all = boxes(name), next = all.find(function (one) { return !one.checked; });
  if (!all.length) return false;
  if (next) next.checked = true; else all.forEach(function (one) { one.checked = false; });
  all[0].dispatchEvent(new Event("change", { bubbles: true }));
  hear(spoken([(next || all[0]).parentElement.textContent.replace(/\s*\d+\s*$/, ""), paintParts()]));
  return true;
}

function paintParts() {
  const part = doc.querySelector("main [data-parts]");
  if (!part) return "";
  const ticked = boxes().filter(function (one) { return one.checked; });
  const sum = ticked.reduce(function (all, one) { return all + Number(one.dataset.worth); }, 0);
  const said = part.dataset.sum.replace("{n}", figures(sum));
  part.querySelector("[data-paid]").textContent = said;
  const names = new Set(ticked.map(function (one) { return one.dataset.part; }));
  doc.querySelectorAll("main .board svg a[data-at]").forEach(function (link) {
    const name = link.getAttribute("data-at");
    if (!boxes(name).length) return;
    link.classList.toggle("on", names.has(name));
    link.classList.toggle("off", !names.has(name));
  });
  return said;
}

function point(event) {
  const piece = event.target.closest("main svg [data-at]");
  if (!piece) return false;
  const name = piece.getAttribute("data-at");
  if (piece.matches("a") && tick(name)) { event.preventDefault(); return true; }
  const form = doc.querySelector("form[data-pointing]");
  if (!form) return false;
  const all = fields(form);
  let meant = form.querySelector("select.meant");
  if (meant && !offers(meant, name)) meant = null;
  if (!meant) meant = all.find(function (one) { return !one.value && offers(one, name); });
  /* A place that is listed is taken up: the next one that is pointed at takes its part. */
  const holds = function (one) { return one.value === name && (!meant || one.dataset.point === meant.dataset.point); };
  const holder = all.find(function (one) { return holds(one) && one.dataset.point === "1"; }) || all.find(holds);
  if (!meant && !holder) return false;
  event.preventDefault();
  if (holder && holder === meant) { mean(form, null); return true; }
  if (holder && !(meant && meant.value)) {
    mean(form, holder);
    hear(labelled(form, name, holder));
    return true;
  }
  const was = meant.value;
  if (holder) holder.value = was;
  meant.value = name;
  meant.dispatchEvent(new Event("change", { bubbles: true }));
  hear(labelled(form, name, meant));
  if (was) { mean(form, null); return true; }
  mean(form, all.find(function (one) { return !one.value && one.dataset.point === meant.dataset.point; }) ||
    all.find(function (one) { return !one.value; }));
  return true;
}

doc.addEventListener("focusin", function (event) {
  const field = event.target.closest && event.target.closest("form[data-pointing] select[data-point]");
  if (field) mean(field.form, field);
});
doc.addEventListener("change", function (event) {
  const form = event.target.closest("form[data-pointing]");
  if (form) paint(form);
  if (event.target.dataset.part) paintParts();
});
