// Answers with a page of an earlier visit, which is then there before the server answers. src/app/kept-pages.ts keeps
// pages, says how old the figures of one are, and gets the new ones.
const longest = 7 * 86_400_000;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  // A page that is loaded anew comes from the server.
  if (request.mode !== "navigate" || request.method !== "GET" || request.cache !== "default") return;
  event.respondWith(keptPage(request).then((kept) => kept ?? fetch(request)));
});

async function keptPage(request) {
  try {
    const pages = await caches.open("pages");
    // The language of a page is that of the reader, whose choice of another empties the cache.
    const kept = await pages.match(request, { ignoreVary: true });
    return kept && Date.now() - Number(kept.headers.get("kept-at")) < longest ? kept : undefined;
  } catch (error) {
    console.warn("The kept pages could not be read", error);
    return undefined;
  }
}
