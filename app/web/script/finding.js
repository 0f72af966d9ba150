// The key N goes to the next game that waits; only the pages of a signed-in player have its link.
doc.addEventListener("keydown", function (event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
  if (event.key !== "n" && event.key !== "N") return;
  if (event.target.closest && event.target.closest("input, textarea, select, dialog")) return;
  const next = doc.getElementById("next-game") || doc.querySelector("nav a[data-next]");
  if (!next) return;
  event.preventDefault();
  const match = /^\/m\/(\d+)/.exec(location.pathname);
  location.href = next.dataset.next && match ? next.dataset.next + "?but=" + match[1] : next.dataset.next || next.href;
});
