import { whenIdle } from "../when-idle.ts";

/** Milliseconds after which code that has not arrived is no longer waited for. */
const patience = 10_000;

/** True if React has hydrated an element that the server rendered. React adds properties to such elements. */
function isTakenOver(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith("__react"));
}

/**
 * Calls back once every part of the page is hydrated. The code of some parts arrives later. Returns a function that
 * cancels it.
 */
export function whenTakenOver(callback: () => void): () => void {
  const end = performance.now() + patience;
  const look = () => {
    if (performance.now() < end && hasServedPart()) stop = whenIdle(look);
    else callback();
  };
  let stop = whenIdle(look);
  return () => stop();
}

/**
 * True if the page has a server-rendered part that is not hydrated. React marks the start of such a part with a
 * comment.
 */
function hasServedPart(): boolean {
  const marks = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (marks.nextNode() !== null) {
    const { textContent, nextSibling } = marks.currentNode;
    if (textContent === "$" && nextSibling instanceof Element && !isTakenOver(nextSibling)) return true;
  }
  return false;
}
