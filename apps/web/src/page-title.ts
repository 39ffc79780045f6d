import { useEffect } from "react";
import { createStore, useStore } from "./create-store.ts";

const app = "Aqua";
const announced = createStore("");

interface PageHead {
  title: string;
  /** One or two sentences, for search engines and previews of links; null where a page has none of its own. */
  description: string | null;
}

/** Of the page that the server renders, which runs no effects. */
let rendered: PageHead = { title: app, description: null };

export function takeRenderedHead(): PageHead {
  const head = rendered;
  rendered = { title: app, description: null };
  return head;
}

/** Sets the document's title, which screen readers announce after a navigation, and what a preview of a link says. */
export function usePageTitle(title: string | null | undefined, description: string | null = null) {
  const full = title === app || !title ? app : `${title} · ${app}`;
  if (typeof document === "undefined" && title) rendered = { title: full, description };
  useEffect(() => {
    if (!title) return;
    document.title = full;
    announced.set(full);
  }, [title, full]);
}

/** The title that the shell's live region announces after a navigation. */
export function useAnnouncedTitle(): string {
  return useStore(announced);
}
