/** Milliseconds after which a pointer counts as resting on a link. A pointer that only passes has left by then. */
const restMs = 80;

interface Intent {
  /** Called with the path of a link that the pointer or focus reaches. */
  onReach: (pathname: string) => void;
  /** Called with the path of a link on which the pointer or focus rests. */
  onRest: (pathname: string) => void;
}

/** Watches links to pages of this site in a part of the page. Returns a function that stops watching. */
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
