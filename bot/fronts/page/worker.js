// The service worker: keeps the page and its files, so that it opens without a network, and shows
// notifications while it is closed. The page itself says that it is offline. Each version of the
// files has its worker, which takes over at the next start.

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

/** @typedef {{ match: number, room: string, code?: string }} Where */

/** @param {Where & { title: string, body: string, picture?: string }} news */
async function notify({ title, body, picture, ...where }) {
  const image = picture && (await drawn(picture));
  const looks = { icon: `${FILES.href}icon.png`, ...(image && { image }), renotify: true };
  await here.registration.showNotification(title, { ...looks, body, tag: `match-${where.match}`, data: where });
}

// As data: browsers may fetch a picture without the cookie.
/** @param {string} path @returns {Promise<string | undefined>} */
async function drawn(path) {
  try {
    const answer = await fetch(new URL(path, PAGE));
    if (!answer.ok) return undefined;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
  } catch {
    return undefined;
  }
}

/** @param {Where} where */
async function lead(where) {
  const [page] = await here.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) return here.clients.openWindow(addressOf(where));
  page.postMessage(where);
  return page.focus();
}

/** @param {Where} where */
function addressOf({ room, code }) {
  return new URL(code ? `g/${code}` : `rooms/${encodeURIComponent(room)}`, PAGE).href;
}

here.addEventListener("push", (event) => event.data && event.waitUntil(notify(event.data.json())));
here.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(lead(event.notification.data));
});
here.addEventListener("install", (event) => event.waitUntil(keep()));
here.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
here.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(open(request));
  else if (request.url.startsWith(FILES.href)) event.respondWith(file(request));
});
