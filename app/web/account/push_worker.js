/* Shows a notification that it is the player's turn. A click goes to a tab of the game, or opens one. */
self.addEventListener("push", function (event) {
  const told = event.data.json();
  event.waitUntil(self.registration.showNotification(told.title, {
    body: told.text, lang: told.language, tag: told.path, data: told.path, icon: "/static/tidepost.svg"
  }));
});

self.addEventListener("notificationclick", function (event) {
  const path = event.notification.data;
  event.notification.close();
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(function (tabs) {
    const tab = tabs.find(function (one) { return new URL(one.url).pathname === path; });
    return tab ? tab.focus() : self.clients.openWindow(path);
  }));
});
