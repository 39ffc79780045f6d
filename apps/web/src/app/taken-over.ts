import { whenIdle } from "../when-idle.ts";

/** Code that has not arrived by then is not waited for, milliseconds. */
const patience = 10_000;

/** Whether React has taken an element over that the server rendered; what it has taken over carries properties of React's. */
function isTakenOver(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith("__react"));
}

/** Calls back once every part of the page is taken over, whose code may arrive later. Returns what calls it off. */
export function whenTakenOver(callback: () => void): () => void {
  const end = performance.now() + patience;
  const look = () => {
    if (performance.now() < end && hasServedPart()) stop = whenIdle(look);
    else callback();
  };
  let stop = whenIdle(look);
  return () => stop();
}

/** React's mark of a part that the server rendered is a comment before it. */
function hasServedPart(): boolean {
  const marks = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (marks.nextNode() !== null) {
    const { textContent, nextSibling } = marks.currentNode;
    if (textContent === "$" && nextSibling instanceof Element && !isTakenOver(nextSibling)) return true;
  }
  return false;
}
