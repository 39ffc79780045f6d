import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { anchors, paths } from "../../paths.ts";

export const devicePath = (shortId: string, device: string) =>
  `${paths.product(shortId)}?tab=devices&device=${encodeURIComponent(device)}#${anchors.devices}`;
export const walkPath = (shortId: string) => `${paths.product(shortId)}?tab=devices#${anchors.walk}`;

/**
 * Scrolls to a part of the page that the address names. The browser cannot do this, since the part renders after the
 * page.
 */
export function useAnchor<Kind extends HTMLElement>(id: string, ready: boolean) {
  const ref = useRef<Kind>(null);
  // Depends on the location object instead of its hash, because following the same link again is another navigation
  // with an equal hash.
  const location = useLocation();
  useEffect(() => {
    if (ready && location.hash === `#${id}`) ref.current?.scrollIntoView?.();
  }, [location, id, ready]);
  return ref;
}
