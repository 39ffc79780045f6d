/** Presses again the button that was pressed before the page's code was here, see src/early.js. */
export function answerEarlyPress(): void {
  const pressed = window.takeEarlyPress?.();
  if (pressed?.isConnected) pressed.click();
}
