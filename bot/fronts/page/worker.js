// The service worker: keeps the page and its files, so that it opens without a network. The page
// itself says that it is offline. Each version of the files has its worker, which takes
// over at the next start.

const here = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const FILES = new URL("./", here.location.href);
const PAGE = here.registration.scope;
const KEPT = FILES.pathname;

async function keep() {
  const page = await fetch(PAGE, { cache: "no-cache" });
  const html = await page.clone().text();
  const paths = html.match(new RegExp(`${KEPT}[a-z.0-9]+`, "g")) ?? [];
  const kept = await caches.open(KEPT);
  await kept.addAll([...new Set(paths)]);
  await kept.put(PAGE, page);
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
}

/** @param {Request} request */
async function open(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/** @param {Request} request */
async function file(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request);
}

here.addEventListener("install", (event) => event.waitUntil(keep()));
here.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
here.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(open(request));
  else if (request.url.startsWith(FILES.href)) event.respondWith(file(request));
});
