/** Runs it once the next frame has been painted: after a press has been answered, what the answer does not need. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
