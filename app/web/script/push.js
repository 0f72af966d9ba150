/* The switch that has this browser notified of turns, where the browser offers it. */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, function (one) { return one.charCodeAt(0); });
}

async function hashed(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), function (one) { return one.toString(16).padStart(2, "0"); }).join("");
}

async function subscribed() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker ? worker.pushManager.getSubscription() : null;
}

async function paintPush() {
  const box = doc.getElementById("push");
  if (!box || !navigator.serviceWorker || !window.PushManager || !window.Notification || !crypto.subtle) return;
  const here = await subscribed();
  const on = here && Notification.permission === "granted" && box.dataset.browsers.split(" ").includes(await hashed(here.endpoint));
  box.querySelector("[value=on]").hidden = on;
  box.querySelector("[value=off]").hidden = !on;
  box.hidden = false;
}

async function turnPush(form, box, wanted) {
  let here = await subscribed();
  const was = here ? here.endpoint : "";
  if (here) await here.unsubscribe();  // one that was made with another key of the site's would stand in the way
  if (wanted === "on") {
    if (await Notification.requestPermission() !== "granted") throw new Error("refused");
    await navigator.serviceWorker.register("/push-worker.js");
    const worker = await navigator.serviceWorker.ready;
    here = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) });
    const keys = here.toJSON().keys;
    form.elements.p256dh.value = keys.p256dh;
    form.elements.auth.value = keys.auth;
  }
  form.elements.endpoint.value = wanted === "on" ? here.endpoint : was;
}

doc.addEventListener("submit", function (event) {
  const box = event.target.closest("#push"), form = event.target;
  if (!box) return;
  event.preventDefault();
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  const chosen = doc.createElement("input");
  chosen.type = "hidden"; chosen.name = "do"; chosen.value = event.submitter.value;
  turnPush(form, box, chosen.value).then(function () {
    form.append(chosen);
    form.submit();
  }, function () {
    delete form.dataset.busy;
    box.querySelector("[data-refused]").hidden = false;
  });
});
