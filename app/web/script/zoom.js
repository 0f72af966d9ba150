/* The larger board begins at its middle, stays where it was moved to, and can be moved by the keyboard. */
let seen = null;

function picture() {
  const box = doc.getElementById("zoom");
  return box && box.checked ? doc.querySelector(".board > .picture") : null;
}

/* Also for a board that has just come into the page. */
function enlarge() {
  const frame = picture();
  if (!frame) return;
  frame.tabIndex = 0;
  if (!seen) {
    seen = { left: (frame.scrollWidth - frame.clientWidth) / 2, top: (frame.scrollHeight - frame.clientHeight) / 2 };
  }
  frame.scrollTo({ left: seen.left, top: seen.top, behavior: "instant" });
}

doc.addEventListener("change", function (event) {
  if (event.target.id !== "zoom") return;
  const frame = doc.querySelector(".board > .picture");
  if (frame && !event.target.checked) frame.removeAttribute("tabindex");
  enlarge();
});
doc.addEventListener("scroll", function (event) {
  if (event.target === picture()) seen = { left: event.target.scrollLeft, top: event.target.scrollTop };
}, { capture: true, passive: true });
