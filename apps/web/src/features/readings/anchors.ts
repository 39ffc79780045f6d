import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { paths } from "../../paths.ts";

/** Where a product page shows a device, and how its devices lead to its income. */
export const anchors = { devices: "devices", walk: "from-device-to-yield" } as const;

export const devicePath = (shortId: string, device: string) =>
  `${paths.product(shortId)}?device=${encodeURIComponent(device)}#${anchors.devices}`;
export const walkPath = (shortId: string) => `${paths.product(shortId)}#${anchors.walk}`;

/** Brings a part of the page into view when the address names it: it comes later than the page, so the browser cannot. */
export function useAnchor<Kind extends HTMLElement>(id: string, ready: boolean) {
  const ref = useRef<Kind>(null);
  // The whole of it: a second way to the same part is another navigation, with the same words.
  const location = useLocation();
  useEffect(() => {
    if (ready && location.hash === `#${id}`) ref.current?.scrollIntoView?.();
  }, [location, id, ready]);
  return ref;
}
