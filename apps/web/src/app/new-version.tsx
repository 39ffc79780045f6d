import { RefreshCw, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { t } from "../i18n/i18n.ts";
import { Button } from "../ui/button.tsx";
import { frameOf } from "./frame-of.ts";
import { entryOf } from "./served-page.ts";

/** Minimum interval between checks, in milliseconds. */
const pause = 300_000;

/** True if the server serves another build than the running one. False if unknown. */
export async function isOutdated(): Promise<boolean> {
  try {
    const answer = await fetch("/?version", { headers: { accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) return false;
    const served = entryOf(new DOMParser().parseFromString(await answer.text(), "text/html"));
    const running = entryOf(document);
    return served !== null && running !== null && served !== running;
  } catch {
    return false;
  }
}

/**
 * An unobtrusive notice of a new version. It checks when the visitor returns to the page and when code cannot be
 * loaded. The page reloads at the next navigation, because the code of the next page may no longer fit. It does not
 * reload earlier, because a form may be half filled in.
 */
export function NewVersion({ reload = () => location.reload() }: { reload?: () => void }) {
  const [state, setState] = useState<"current" | "outdated" | "dismissed">("current");
  const frame = frameOf(useLocation().pathname);
  const previousFrame = useRef(frame);

  useEffect(() => {
    if (state !== "current" && previousFrame.current !== frame) reload();
    previousFrame.current = frame;
  }, [state, frame, reload]);

  useEffect(() => {
    if (state !== "current") return;
    let lastCheck = Date.now();
    let isMounted = true;
    async function look() {
      lastCheck = Date.now();
      if ((await isOutdated()) && isMounted) setState("outdated");
    }
    function onReturn() {
      if (!document.hidden && Date.now() - lastCheck >= pause) look();
    }
    addEventListener("focus", onReturn);
    document.addEventListener("visibilitychange", onReturn);
    // Vite dispatches this event if code cannot be loaded.
    addEventListener("vite:preloadError", look);
    return () => {
      isMounted = false;
      removeEventListener("focus", onReturn);
      document.removeEventListener("visibilitychange", onReturn);
      removeEventListener("vite:preloadError", look);
    };
  }, [state]);

  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 top-full flex justify-center p-3">
      {state === "outdated" && (
        <div className="panel pointer-events-auto flex max-w-full animate-fade flex-wrap items-center gap-x-3 gap-y-2 py-2 pr-2 pl-4 text-14 shadow-float">
          <RefreshCw aria-hidden="true" className="size-4 shrink-0 text-accent" strokeWidth={1.75} />
          <p className="min-w-0 flex-1">{t("shell.version.ready")}</p>
          <Button size="small" look="secondary" onClick={() => location.reload()}>
            {t("shell.broken.reload")}
          </Button>
          <button
            type="button"
            aria-label={t("ui.dismiss")}
            onClick={() => {
              setState("dismissed");
              // Dismissing the notice removes the focused button, so the focus moves to the page.
              document.getElementById("main")?.focus({ preventScroll: true });
            }}
            className="grid size-9 place-items-center rounded-6 text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-4" strokeWidth={1.75} />
          </button>
        </div>
      )}
    </div>
  );
}
