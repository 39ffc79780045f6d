import { useEffect } from "react";
import { createStore, useStore } from "./create-store.ts";
import { renderedPage } from "./rendered-page.ts";

const app = "Aqua";
const announced = createStore("");

/**
 * Sets the document's title, which screen readers announce after a navigation, and the description for previews of
 * links.
 */
export function usePageTitle(title: string | null | undefined, description: string | null = null) {
  const full = title === app || !title ? app : `${title} · ${app}`;
  // The server runs no effects, so it reads the title during rendering.
  const page = renderedPage();
  if (page !== null && title) page.head = { title: full, description };
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
