/** Whether the kit takes this device for a phone or tablet, by which it chooses its views: from its user agent. */
export function isPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  return /android|iPhone|iPod|iPad/i.test(userAgent) || (platform === "MacIntel" && maxTouchPoints > 1);
}
