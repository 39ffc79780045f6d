import { createStore, useStore } from "./create-store.ts";

/** A page of an earlier visit, which is shown until the server's figures are here. */
export interface KeptPage {
  path: string;
  /** When the server rendered it, Unix milliseconds. */
  time: number;
  state: "renewing" | "unanswered";
}

const kept = createStore<KeptPage | null>(null);

/** Null once the figures are the server's. */
export const setKeptPage = kept.set;

export function useKeptPage(): KeptPage | null {
  return useStore(kept);
}

/** Resolves once the server has answered with the figures of this page, or failed to. */
export function pageAnswered(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (kept.get()?.state === "renewing") return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = kept.subscribe(look);
    look();
  });
}
