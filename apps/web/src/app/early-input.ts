/** Enters and presses again what was entered and pressed before the page's code was here, see src/early.js. */
export function answerEarlyInput(): void {
  const early = window.takeEarlyInput?.();
  if (early?.entered.size) void import("./enter-again.ts").then((module) => module.enterAgain(early.entered));
  if (early?.pressed?.isConnected) early.pressed.click();
}
