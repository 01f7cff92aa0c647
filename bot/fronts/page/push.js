// Notifications while no page is open. The browser gets them from its push service, and the service
// worker shows them.

export class Push {
  #send;

  /** The server's public key. Empty: it sends none. */
  key = "";

  /** @param {(where: Record<string, string>) => Promise<boolean>} send tells the server */
  constructor(send) {
    this.#send = send;
  }

  get isPossible() {
    return this.key !== "" && ["Notification", "PushManager"].every((name) => name in window) && "serviceWorker" in navigator;
  }

  /** Let this browser be notified. Resolves to whether it is. */
  async subscribe() {
    try {
      const { pushManager } = await navigator.serviceWorker.ready;
      let known = await pushManager.getSubscription();
      // The server may have another database than before.
      if (known && !isFor(this.key, known)) {
        await known.unsubscribe();
        known = null;
      }
      known ||= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.key });
      const { endpoint = "", keys } = known.toJSON();
      return await this.#send({ endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
    } catch {
      return false;
    }
  }

  async unsubscribe() {
    await this.#send({});
    const worker = await navigator.serviceWorker.getRegistration();
    await (await worker?.pushManager.getSubscription())?.unsubscribe();
  }
}

/**
 * @param {string} key in base64url
 * @param {PushSubscription} subscription
 */
function isFor(key, { options }) {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") === key;
}
