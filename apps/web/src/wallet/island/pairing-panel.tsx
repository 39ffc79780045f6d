import { Cuer } from "cuer";
import { ChevronDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { t } from "../../i18n/i18n.ts";
import { Button, buttonClasses } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { copyText } from "../../ui/copy-text.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { onPairingRefused, type Pairing, usePairing } from "../connect/pairing.ts";
import { kitDialogs, usePlaceInKitDialog } from "./kit-dialog.ts";

/** True if the kit shows its views for a phone or tablet. The kit decides by the user agent. */
function isPhone(): boolean {
  const { userAgent, platform, maxTouchPoints } = navigator;
  return /android|iPhone|iPod|iPad/i.test(userAgent) || (platform === "MacIntel" && maxTouchPoints > 1);
}

/**
 * Shows the states of a WalletConnect connection that the kit does not show: the code is loading, no code arrived, and
 * on a phone that the wallet's app has to confirm. On wide screens the kit shows a code that has arrived. `onBack`
 * returns to the list of wallets.
 */
export function PairingPanel({ onBack }: { onBack: () => void }) {
  const pairing = usePairing();
  const isOpen = pairing !== null && (pairing.stage !== "waiting" || isPhone());
  const place = usePlaceInKitDialog(kitDialogs.connect, isOpen);
  // On wide screens the kit would still show the code. On a phone it returns to the list of wallets by itself.
  useEffect(() => (isPhone() ? undefined : onPairingRefused(onBack)), [onBack]);
  if (!isOpen || place === null) return null;
  const back = () => {
    pairing.abandon();
    onBack();
  };
  return createPortal(<Panel pairing={pairing} onBack={back} />, place);
}

function Panel({ pairing, onBack }: { pairing: Pairing; onBack: () => void }) {
  const panel = useRef<HTMLElement>(null);
  const { stage } = pairing;

  // The kit's own view is below the panel and would receive focus and touch.
  useEffect(() => {
    const own = panel.current;
    const below = [...(own?.parentElement?.parentElement?.children ?? [])].filter((child) => !child.contains(own));
    for (const child of below) child.toggleAttribute("inert", true);
    own?.focus({ preventScroll: true });
    own?.addEventListener("keydown", stayInside);
    return () => {
      for (const child of below) child.toggleAttribute("inert", false);
      const sheet = own?.closest<HTMLElement>("[role=document]");
      sheet?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <section
      ref={panel}
      aria-label={pairing.walletName}
      tabIndex={-1}
      data-testid="pairing"
      className={cx(
        "absolute inset-0 z-10 flex flex-col overflow-y-auto bg-surface p-4 text-ink outline-none",
        // On phones the kit's sheet extends 200 px below the screen.
        isPhone() && "max-md:bottom-[200px]",
      )}
    >
      <button
        type="button"
        onClick={onBack}
        className="-ml-1 inline-flex h-11 items-center gap-2 self-start rounded-6 px-2 text-14 text-muted hover:text-ink"
      >
        {/* Every page has already loaded this icon. A separate left arrow would need another file. */}
        <ChevronDown aria-hidden="true" className="size-4 rotate-90" strokeWidth={1.75} />
        {t("wallet.pairing.back")}
      </button>
      <div className="m-auto flex w-full max-w-[340px] flex-col items-center gap-5 py-4 text-center">
        {stage === "contacting" && <Spinner className="size-8 text-accent" />}
        <div role={stage === "contacting" || stage === "waiting" ? "status" : "alert"}>
          <p className="text-20 font-strong">{title(pairing)}</p>
          <p className="mt-2 text-muted">{text(pairing)}</p>
        </div>
        <Actions pairing={pairing} />
        {stage === "waiting" && pairing.walletId === "walletConnect" && <Code pairing={pairing} />}
      </div>
    </section>
  );
}

/** Keeps Tab inside the panel. The kit's own focus trap uses its controls below the panel. */
function stayInside(this: HTMLElement, event: KeyboardEvent) {
  if (event.key !== "Tab") return;
  const controls = [...this.querySelectorAll<HTMLElement>("button, a[href]")];
  const at = controls.indexOf(document.activeElement as HTMLElement);
  const next = event.shiftKey ? (at <= 0 ? controls.length - 1 : at - 1) : (at + 1) % controls.length;
  event.preventDefault();
  controls[next]?.focus();
}

function title({ stage, walletId, walletName }: Pairing): string {
  if (stage !== "waiting") return t(`wallet.pairing.${stage}.title`);
  return walletId === "walletConnect"
    ? t("wallet.pairing.any.title")
    : t("wallet.pairing.waiting.title", { wallet: walletName });
}

function text({ stage, walletId, walletName }: Pairing): string {
  if (stage === "waiting" && walletId === "walletConnect") return t("wallet.pairing.any.text");
  return t(`wallet.pairing.${stage}.text`, { wallet: walletName });
}

function Code({ pairing: { uri } }: { pairing: Pairing }) {
  return (
    uri !== null && (
      <span role="img" aria-label={t("wallet.pairing.code")} className="rounded-12 bg-white p-4 text-black">
        <Cuer.Root value={uri} size={192} errorCorrection="low">
          <Cuer.Cells />
          <Cuer.Finder />
        </Cuer.Root>
      </span>
    )
  );
}

function Actions({ pairing }: { pairing: Pairing }) {
  const { stage, walletId, walletName, uri, appLink, retry } = pairing;
  if (stage === "contacting") return null;
  if (stage !== "waiting")
    return (
      <Button wide onClick={retry}>
        {t("ui.retry")}
      </Button>
    );
  return (
    <div className="flex w-full flex-col gap-3">
      {/* The visitor presses this link, because a browser may not open an app by script so long after the first press. */}
      <a href={appLink ?? undefined} target="_blank" rel="noreferrer" className={buttonClasses({ wide: true })}>
        {walletId === "walletConnect" ? t("wallet.pairing.openAny") : t("wallet.pairing.open", { wallet: walletName })}
      </a>
      <Button look="secondary" wide onClick={() => uri !== null && copyText(uri)}>
        {t("wallet.pairing.copy")}
      </Button>
    </div>
  );
}
