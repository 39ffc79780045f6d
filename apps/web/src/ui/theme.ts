import { useSyncExternalStore } from "react";
import { local } from "../browser-storage.ts";

export type ThemeChoice = "system" | "light" | "dark";
const storageKey = "app-theme";
const changed = "aqua:theme";

function readThemeChoice(): ThemeChoice {
  const stored = local.get(storageKey);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Stores the choice. The script in index.html applies it to <html data-theme>. */
export function setTheme(choice: ThemeChoice) {
  if (choice === "system") local.remove(storageKey);
  else local.set(storageKey, choice);
  dispatchEvent(new Event(changed));
}

function subscribe(listener: () => void) {
  addEventListener(changed, listener);
  addEventListener("storage", listener);
  return () => {
    removeEventListener(changed, listener);
    removeEventListener("storage", listener);
  };
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, readThemeChoice, () => "system");
}

function subscribeApplied(listener: () => void) {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** The applied theme, for a canvas that must be redrawn. */
export function useAppliedTheme(): "light" | "dark" {
  return useSyncExternalStore(
    subscribeApplied,
    () => (document.documentElement.dataset.theme === "dark" ? "dark" : "light"),
    () => "light",
  );
}
