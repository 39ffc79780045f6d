import { withStandardErrors } from "./provider-errors.ts";

const announced = "eip6963:announceProvider";

interface Announcement {
  info: { uuid: string; name: string; icon: string; rdns: string };
  provider: { request: (request: { method: string; params?: unknown }) => Promise<unknown> };
}

/** True if an extension announced a wallet in the form of EIP-6963. A broken extension announces null or `{}`. */
export function isAnnouncement(detail: unknown): detail is Announcement {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>;
  return (
    typeof info === "object" &&
    info !== null &&
    [info.uuid, info.name, info.icon, info.rdns].every((text) => typeof text === "string") &&
    typeof provider?.request === "function"
  );
}

const passed = new WeakSet<Event>();
let filtering = false;

/**
 * Lets only well-formed announcements reach the wallet libraries. They throw on any other, so one broken extension
 * would disable every wallet. Providers are passed on with standard error codes.
 */
export function filterAnnouncements(): void {
  if (filtering) return;
  filtering = true;
  window.addEventListener(
    announced,
    (event) => {
      if (passed.has(event)) return;
      event.stopImmediatePropagation();
      const { detail } = event as CustomEvent<unknown>;
      if (!isAnnouncement(detail)) return;
      const standard = { info: detail.info, provider: withStandardErrors(detail.provider) };
      const next = new CustomEvent(announced, { detail: Object.freeze(standard) });
      passed.add(next);
      window.dispatchEvent(next);
    },
    { capture: true },
  );
}
