import { shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { WalletFace } from "../../ui/wallet-face.tsx";
import type { PendingRequest } from "./requests.ts";

/**
 * Offers the demo wallet's accounts: the prepared one, and this browser's own, with which a visitor can go through
 * registration.
 */
export function AccountChoice({ request }: { request: Extract<PendingRequest, { question: { kind: "account" } }> }) {
  return (
    <>
      <p className="text-20 font-strong">{t("wallet.demo.choose.title")}</p>
      <ul className="flex flex-col gap-3">
        {(["demo", "own"] as const).map((kind) => (
          <li key={kind}>
            <button
              type="button"
              onClick={() => request.approve(request.question[kind])}
              className="flex w-full gap-3 rounded-6 border border-line-strong/60 p-3 text-left hover:border-accent"
            >
              <span className="mt-0.5 shrink-0">
                <WalletFace address={request.question[kind]} />
              </span>
              <span className="min-w-0">
                <span className="block font-strong">{t(`wallet.demo.choose.${kind}`)}</span>
                <span className="block font-mono text-12 text-muted">{shortenAddress(request.question[kind])}</span>
                <span className="mt-1 block text-14 text-muted">{t(`wallet.demo.choose.${kind}Text`)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="text-12 text-muted">{t("wallet.demo.note")}</p>
      <Button look="secondary" onClick={request.reject}>
        {t("wallet.demo.reject")}
      </Button>
    </>
  );
}
