import { Waves } from "lucide-react";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { loadTexts, t } from "../../i18n/i18n.ts";
import { reportError } from "../../report-error.ts";
import { loadFailure } from "../../ui/boundary.tsx";
import { cx } from "../../ui/class-names.ts";
import { toast } from "../../ui/toast.tsx";
import { useMedia } from "../../ui/use-media.ts";
import { assistant } from "./assistant.ts";
import type { ChatProps } from "./chat.tsx";
import { useFreePlace } from "./use-free-place.ts";
import { useInTheWay } from "./use-in-the-way.ts";

/** Milliseconds between two changes of the pulse. */
const pulsePeriod = 2000;

/** Loads code and texts of the chat. A failure is not cached: the next press retries. */
async function loadChat(): Promise<ComponentType<ChatProps>> {
  const [module] = await Promise.all([import("./chat.tsx"), loadTexts("chat")]);
  return module.Chat;
}

/** Alternates every `pulsePeriod`; always false with reduced motion. */
function usePulse(): boolean {
  const reducedMotion = useMedia("(prefers-reduced-motion: reduce)");
  const [pulse, setPulse] = useState(false);
  useEffect(() => {
    if (reducedMotion) return;
    const timer = setInterval(() => setPulse((before) => !before), pulsePeriod);
    return () => clearInterval(timer);
  }, [reducedMotion]);
  return pulse && !reducedMotion;
}

/**
 * The floating button that opens the chat. It is fixed to the window, so a page that grows while loading does not move
 * it. At the end of the page it sits in a space reserved below the content, so it covers nothing there.
 */
export function ChatLauncher(): ReactNode {
  const [open, setOpen] = useState(false);
  const [Chat, setChat] = useState<ComponentType<ChatProps> | null>(null);
  const [loading, setLoading] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  const pulse = usePulse();
  // On small screens the pages of a product have a deposit bar at the bottom (72 px and its border). The button is
  // placed above it, and behind it where the bar scrolls past.
  const onProduct = /^\/(product|performance|liquidity)\//.test(useLocation().pathname);
  const inTheWay = useInTheWay(place, onProduct);
  const lift = useFreePlace(place);

  // Some browsers do not focus a pressed button, so the previously focused element cannot be used to restore the focus.
  useEffect(() => {
    if (wasOpen.current && !open) button.current?.focus({ preventScroll: true });
    wasOpen.current = open;
  }, [open]);

  async function show() {
    if (loading) return;
    if (!Chat) {
      setLoading(true);
      try {
        const loaded = await loadChat();
        setChat(() => loaded);
      } catch (error) {
        reportError("chat", error);
        toast({ look: "error", title: t("ui.error.title"), description: loadFailure(error) });
        return;
      } finally {
        setLoading(false);
      }
    }
    setOpen(true);
  }

  function prepare() {
    loadChat().catch(() => undefined);
  }

  return (
    <>
      <div
        className={cx(
          "h-[calc(60px+var(--gap))] print:hidden",
          onProduct
            ? "[--gap:calc(88px+env(safe-area-inset-bottom))] lg:[--gap:16px]"
            : "[--gap:calc(16px+env(safe-area-inset-bottom))]",
        )}
      >
        <div
          ref={place}
          className="pointer-events-none fixed right-4 bottom-(--gap) z-10 flex w-11 justify-end md:right-6 md:w-38"
        >
          <div
            // If no place is free, the button moves beside the text into the page's margin, where it can still be
            // pressed.
            style={lift === 0 ? {} : { translate: lift === null ? "calc(100% + 4px) 0" : `0 ${-lift}px` }}
            className={cx(
              "pointer-events-auto relative transition-[transform,translate]",
              // Moves left of the panel. In a window narrower than 1312 px the space right of the panel fits only the
              // icon.
              inTheWay && "max-[1311px]:-translate-x-114",
            )}
          >
            <Ripple spread={pulse} />
            <button
              ref={button}
              type="button"
              data-pulse={pulse}
              aria-haspopup="dialog"
              aria-expanded={open}
              aria-busy={loading || undefined}
              onClick={show}
              onPointerEnter={prepare}
              onFocus={prepare}
              className={cx(
                "relative flex size-11 items-center justify-center gap-2 rounded-full border border-accent/50 bg-surface md:w-auto md:pr-5 md:pl-4 text-14 font-strong tracking-wide text-accent shadow-float transition-colors hover:border-accent hover:text-accent-hover",
                inTheWay && "min-[1312px]:md:px-3",
              )}
            >
              <Waves aria-hidden="true" className="size-5" strokeWidth={1.75} />
              <span className={cx("max-md:sr-only", inTheWay && "min-[1312px]:sr-only")}>{assistant}</span>
            </button>
          </div>
        </div>
      </div>
      {Chat && <Chat open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Two rings that expand and fade. They are box shadows, because a scaled element could widen the page. */
function Ripple({ spread }: { spread: boolean }) {
  const rings = spread
    ? "shadow-[0_0_0_16px_transparent] transition-shadow duration-1600 ease-out"
    : "shadow-[0_0_0_0_color-mix(in_srgb,var(--accent)_45%,transparent)]";
  return (
    <span aria-hidden="true" className="pointer-events-none absolute inset-0">
      <span className={cx("absolute inset-0 rounded-full", rings)} />
      <span className={cx("absolute inset-0 rounded-full", rings, spread && "delay-300")} />
    </span>
  );
}
