/** Where the panel starts once the page is scrolled, and how much of it is always shown; pixels. */
const stuckAt = 88;
const leastHeight = 260;

/**
 * Sets `--panel-top` to where in the window an element starts, so that its height can end within the window. Returns what
 * ends that.
 */
export function fitPanel(area: HTMLElement): () => void {
  const fit = () => {
    const top = Math.min(Math.max(area.getBoundingClientRect().top, stuckAt), window.innerHeight - leastHeight);
    area.style.setProperty("--panel-top", `${Math.round(top)}px`);
  };
  fit();
  // What loads above it moves it down.
  const observer = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(fit);
  observer?.observe(document.body);
  window.addEventListener("scroll", fit, { passive: true });
  window.addEventListener("resize", fit);
  return () => {
    observer?.disconnect();
    window.removeEventListener("scroll", fit);
    window.removeEventListener("resize", fit);
  };
}
