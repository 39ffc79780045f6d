// Removes the worker that this site registered until November 2026, and the pages that it kept: a browser replaces a
// worker by the file at the same address. This file can be deleted after November 2027. A browser that never fetched it
// keeps a worker that answers nothing, because it answered only with pages less than a week old.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(caches.delete("pages").then(() => registration.unregister())));
