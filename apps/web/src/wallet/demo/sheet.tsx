import type { TimeUnit } from "@aqua/sdk/maths/term";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "../../create-store.ts";
import { formatAmount, formatDateTime, formatRate, formatTerm } from "../../i18n/format.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { reportError } from "../../report-error.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AccountChoice } from "./account-choice.tsx";
import { type PendingRequest, pendingRequests } from "./requests.ts";
import type { RequestText } from "./tokens.ts";

/** The demo wallet's dialog. It shows one request at a time. Escape and the backdrop reject the request. */
export default function DemoSheet() {
  useLanguage();
  const [request] = useStore(pendingRequests);
  useEffect(() => {
    if (request === undefined) return;
    // The kit's dialog below listens for Escape too and would also close.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.stopImmediatePropagation();
      request.reject();
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [request]);
  if (request === undefined) return null;
  return (
    <Dialog above open onClose={request.reject} title={t("wallet.demo.title")}>
      <div className="flex flex-col gap-4 p-5" data-testid="demo-wallet-sheet">
        {isChoice(request) ? (
          <AccountChoice key={request.id} request={request} />
        ) : (
          <Signing key={request.id} request={request} />
        )}
      </div>
    </Dialog>
  );
}

type Choice = Extract<PendingRequest, { question: { kind: "account" } }>;

function isChoice(request: PendingRequest): request is Choice {
  return request.question.kind === "account";
}

function Signing({ request }: { request: Exclude<PendingRequest, Choice> }) {
  const [text, setText] = useState<RequestText | null>(null);
  const [failed, setFailed] = useState(false);
  const load = useCallback(() => {
    setFailed(false);
    // This code loads with the first request, because it contains the ABI of every contract.
    import("./request-text.ts")
      .then(({ describeRequest }) => describeRequest(request.question))
      .then(setText, (error: unknown) => {
        reportError("wallet", error);
        setFailed(true);
      });
  }, [request]);
  useEffect(load, [load]);

  return (
    <>
      <div role="status" className="flex flex-col gap-3">
        {text !== null ? (
          <Request text={text} />
        ) : failed ? (
          <ErrorState error={null} onRetry={load} />
        ) : (
          <Skeleton className="h-24" />
        )}
      </div>
      <p className="text-12 text-muted">{t("wallet.demo.note")}</p>
      <div className="sticky bottom-0 grid grid-cols-2 gap-3 bg-surface pb-1">
        <Button look="secondary" onClick={request.reject}>
          {t("wallet.demo.reject")}
        </Button>
        {/* The button is inactive until the request is shown. The focus starts on the dialog, so that a stray Enter
            confirms nothing. */}
        <Button busy={text === null && !failed} inactive={failed} onClick={request.approve}>
          {t(request.question.kind === "transaction" ? "wallet.demo.send" : "wallet.demo.sign")}
        </Button>
      </div>
    </>
  );
}

/** Formats amounts and times for the reader. All digits are shown, because the owner signs exactly this. */
function formatted(values: Record<string, string>): Record<string, string> {
  const { amount, least, until, count, unit, rate, ...others } = values;
  const exact = { digits: 18, minDigits: 2 };
  return {
    ...others,
    ...(amount === undefined ? {} : { amount: formatAmount(amount, exact) }),
    ...(least === undefined ? {} : { least: formatAmount(least, exact) }),
    ...(count === undefined ? {} : { term: formatTerm({ value: Number(count), unit: unit as TimeUnit }) }),
    ...(rate === undefined ? {} : { rate: formatRate(rate) }),
    ...(until === undefined ? {} : { until: formatDateTime(Number(until)) }),
  };
}

function Request({ text }: { text: RequestText }) {
  const name = text.contractName ?? t("wallet.demo.unnamed");
  return (
    <>
      <p className="text-20 font-strong">{t(text.title)}</p>
      <p>{t(text.sentence, { ...formatted(text.values), contract: name })}</p>
      {text.contract !== null && (
        <dl className="rounded-6 bg-ground p-3 text-14">
          <dt className="text-muted">{t("wallet.demo.contract", { name })}</dt>
          <dd className="font-mono text-12 break-all">{text.contract}</dd>
        </dl>
      )}
      {text.sentence === "wallet.demo.message.sentence" || text.sentence === "wallet.demo.foreign.sentence" ? (
        <Exact text={text.exact} />
      ) : (
        <details className="text-14">
          <summary className="text-muted">{t("wallet.demo.exact")}</summary>
          <Exact text={text.exact} />
        </details>
      )}
    </>
  );
}

function Exact({ text }: { text: string }) {
  return (
    <pre className="mt-2 max-h-56 overflow-auto rounded-6 bg-ground p-3 font-mono text-12 break-all whitespace-pre-wrap">
      {text}
    </pre>
  );
}
