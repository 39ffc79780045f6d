/** A pointer that only passes a link has left it by then, in milliseconds. */
const restMs = 80;

interface Intent {
  /** A link is reached: the path it leads to. */
  onReach: (pathname: string) => void;
  /** The pointer or the focus has stayed on it. */
  onRest: (pathname: string) => void;
}

/** Watches the links to pages of this site in a part of the page. Returns a function that stops it. */
export function watchLinks(part: HTMLElement, { onReach, onRest }: Intent): () => void {
  let current: HTMLAnchorElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const leave = () => {
    clearTimeout(timer);
    current = null;
  };
  const look = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (link !== null && link === current) return;
    leave();
    if (link?.origin !== location.origin || link.target !== "") return;
    current = link;
    const { pathname } = link;
    onReach(pathname);
    timer = setTimeout(() => onRest(pathname), restMs);
  };
  part.addEventListener("pointerover", look);
  part.addEventListener("pointerleave", leave);
  part.addEventListener("focusin", look);
  part.addEventListener("focusout", leave);
  return () => {
    leave();
    part.removeEventListener("pointerover", look);
    part.removeEventListener("pointerleave", leave);
    part.removeEventListener("focusin", look);
    part.removeEventListener("focusout", leave);
  };
}
