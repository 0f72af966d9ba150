/* What differs from reader to reader: the zone, and moments in it. */
function dress(root) {
  enlarge();
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
    day: "numeric", month: "short", year: "numeric",
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short"
  });
  /* The zone stands last: Chinese would have it before the hour, or in brackets. */
  function written(at) {
    if (!language.startsWith("zh")) return local.format(at);
    const parts = local.formatToParts(at), zone = parts.find(function (one) { return one.type === "timeZoneName"; });
    const rest = parts.filter(function (one) { return one !== zone; }).map(function (one) { return one.value; });
    return rest.join("").replace(/[[\]]/g, "").replace(/\s+/g, " ").trim() + " " + zone.value;
  }
  /* A moment to come is a deadline: it has the Gregorian day beside the Jalali one. */
  const gregorian = new Intl.DateTimeFormat("fa-u-ca-gregory", { day: "numeric", month: "long", year: "numeric" });
  root.querySelectorAll("time[datetime]:not([data-zoned])").forEach(function (moment) {
    const at = new Date(moment.getAttribute("datetime"));
    if (isNaN(at)) return;
    moment.title = moment.textContent;
    const both = language === "fa" && at > Date.now();
    moment.textContent = written(at) + (both ? " (" + gregorian.format(at) + ")" : "");
  });
  dressBoard();
  root.querySelectorAll("form[data-pointing]").forEach(function (form) {
    mean(form, fields(form).find(function (one) { return !one.value; }));
  });
  paintParts();
  paintReplay();
  paintSound();
  lookIn(soon());
}
