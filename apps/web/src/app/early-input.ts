import { isTakenOver } from "./taken-over.ts";

/** Presses again the button that was pressed before it could answer, as soon as it can, see src/early.js. */
export function answerEarlyPress(): void {
  delete document.documentElement.dataset.returning;
  const look = () => {
    const { early } = window;
    if (!early) return;
    if (early.pressed && isTakenOver(early.pressed)) press(early);
    requestAnimationFrame(look);
  };
  look();
}

/** For when every part of the page can answer: what was entered before is entered again. */
export async function endEarlyInput(): Promise<void> {
  const { early } = window;
  if (!early) return;
  early.end();
  press(early);
  if (early.entered.size > 0) (await import("./enter-again.ts")).enterAgain(early.entered);
}

function press(early: EarlyInput) {
  const { pressed } = early;
  early.pressed = null;
  delete pressed?.dataset.pressed;
  if (pressed?.isConnected) pressed.click();
}
