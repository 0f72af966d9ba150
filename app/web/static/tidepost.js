/* The pages work without this. It saves reloading, keeps the focus, and guesses the time zone. */
(function () {
  "use strict";
  const doc = document;

  function own(url) {
    return url.origin === location.origin && url.pathname === location.pathname;
  }

  /* Where the focus was, in words that survive a new board. */
  function place(element) {
    if (!element || !element.closest || !element.closest("main")) return null;
    const at = element.closest("[data-at]") || element.querySelector("[data-at]");
    return { id: element.id, at: at && at.getAttribute("data-at"), name: element.name };
  }

  function refocus(was, moved) {
    let target = null;
    if (was && was.at) {
      const piece = doc.querySelector('main [data-at="' + CSS.escape(was.at) + '"]');
      target = piece && (piece.closest("a") || piece.querySelector("a"));
    }
    if (!target && was && was.id) target = doc.getElementById(was.id);
    if (moved || !target) target = doc.getElementById(moved ? "now" : "choose") || doc.getElementById("now");
    if (target) target.focus({ preventScroll: !moved });
    if (target && moved) target.scrollIntoView({ block: "nearest" });
  }

  function show(text, url, was, moved) {
    const next = new DOMParser().parseFromString(text, "text/html");
    const main = next.querySelector("main");
    if (!main) return false;
    doc.querySelector("main").replaceWith(doc.importNode(main, true));
    doc.title = next.title;
    history.replaceState(null, "", url);
    refocus(was, moved);
    const heard = doc.getElementById("heard");
    const now = doc.querySelector("main [data-say]");
    if (heard && now) heard.textContent = now.textContent.replace(/\s+/g, " ").trim();
    dress(doc.querySelector("main"));
    return true;
  }

  async function load(address, options, was, moved, otherwise) {
    doc.body.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, options);
      if (!show(await answer.text(), answer.url, was, moved)) otherwise();
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
    load(location.pathname, { method: "POST", body: body }, place(button), true, function () {
      if (button && button.name) {
        const kept = doc.createElement("input");
        kept.type = "hidden"; kept.name = button.name; kept.value = button.value;
        form.append(kept);
      }
      form.submit();
    });
  });

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

  function paint(form) {
    const used = {};
    fields(form).reverse().forEach(function (one) { if (one.value) used[one.value] = one; });
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
      mark.textContent = field.dataset.mark;
    });
  }

  function point(event) {
    const form = doc.querySelector("form[data-pointing]");
    if (!form) return false;
    const piece = event.target.closest("main svg [data-at]");
    if (!piece) return false;
    const name = piece.getAttribute("data-at");
    const all = fields(form);
    let meant = form.querySelector("select.meant") || all.find(function (one) { return !one.value; });
    if (!meant || !offers(meant, name)) {
      meant = all.find(function (one) { return !one.value && offers(one, name); });
    }
    if (!meant) return false;
    event.preventDefault();
    meant.value = name;
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
  });

  /* What differs from reader to reader: the zone, and moments in it. */
  function dress(root) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    root.querySelectorAll("select[data-guess-zone]").forEach(function (field) {
      const known = Array.from(field.options).find(function (one) {
        return one.value === zone || (one.dataset.also || "").split(" ").includes(zone);
      });
      if (zone && known) field.value = known.value;
    });
    /* As the server writes them: day before month, with the zone. English alone would mean American. */
    const language = doc.documentElement.lang;
    const local = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
      day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short"
    });
    root.querySelectorAll("time[datetime]:not([data-zoned])").forEach(function (moment) {
      const at = new Date(moment.getAttribute("datetime"));
      if (isNaN(at)) return;
      moment.title = moment.textContent;
      moment.textContent = local.format(at);
    });
    root.querySelectorAll("form[data-pointing]").forEach(function (form) {
      mean(form, fields(form).find(function (one) { return !one.value; }));
    });
  }
  doc.documentElement.classList.add("scripted");
  dress(doc);
})();
