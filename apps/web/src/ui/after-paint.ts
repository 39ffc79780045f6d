/** Runs a task after the next frame is painted. Use it for work that the answer to a press does not need. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
