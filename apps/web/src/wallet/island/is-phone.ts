/** Whether the kit takes this device for a phone or tablet, which decides its views; from the user agent. */
export function isPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  return /android|iPhone|iPod|iPad/i.test(userAgent) || (platform === "MacIntel" && maxTouchPoints > 1);
}
