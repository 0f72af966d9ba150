/* Looks for new emails, without the reload that would take the reader's place and focus away. */
(function () {
  "use strict";
  function look() {
    if (document.hidden || document.querySelector("main textarea")) return;
    fetch(location.href, { cache: "no-store" }).then(function (answer) {
      return answer.ok ? answer.text() : "";
    }).then(function (text) {
      const page = new DOMParser().parseFromString(text, "text/html");
      const now = document.querySelector("[data-live]"), then = page.querySelector("[data-live]");
      if (now && then && now.innerHTML !== then.innerHTML) now.replaceWith(document.importNode(then, true));
    }).catch(function () { /* the catcher has ended */ });
  }
  setInterval(look, 3000);
}());
