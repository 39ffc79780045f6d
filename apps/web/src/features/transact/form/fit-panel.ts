/** The top of the panel after the page is scrolled, and the panel's minimum visible height; both in pixels. */
const stickyTop = 88;
const minHeight = 260;

/**
 * Sets `--panel-top` to the element's top in the window, so that the element's height can end within the window.
 * Returns a function that stops the updates.
 */
export function fitPanel(area: HTMLElement): () => void {
  const fit = () => {
    const top = Math.min(Math.max(area.getBoundingClientRect().top, stickyTop), window.innerHeight - minHeight);
    area.style.setProperty("--panel-top", `${Math.round(top)}px`);
  };
  fit();
  // Content that loads above the panel moves it down.
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
