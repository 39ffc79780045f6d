import { useSyncExternalStore } from "react";

/** A page of an earlier visit, which is shown until the server's figures are here. */
export interface KeptPage {
  path: string;
  /** When the server rendered it, Unix milliseconds. */
  time: number;
  state: "renewing" | "unanswered";
}

let kept: KeptPage | null = null;
const listeners = new Set<() => void>();

/** Null once the figures are the server's. */
export function setKeptPage(next: KeptPage | null): void {
  kept = next;
  for (const listener of [...listeners]) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useKeptPage(): KeptPage | null {
  return useSyncExternalStore(
    subscribe,
    () => kept,
    () => null,
  );
}

/** Resolves once the server has answered with the figures of this page, or failed to. */
export function pageAnswered(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (kept?.state === "renewing") return;
      listeners.delete(look);
      resolve();
    };
    listeners.add(look);
    look();
  });
}
