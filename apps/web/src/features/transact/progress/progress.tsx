import type { ProductDetail } from "@aqua/sdk/api/product";
import type { ActionStage, Part } from "@aqua/sdk/chain/transaction";
import { findChain } from "@aqua/sdk/chains";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "react-router";
import { shortenAddress } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import { paths } from "../../../paths.ts";
import { Button, buttonClasses } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useNow } from "../../../ui/use-now.ts";
import type { TrackedTransaction } from "../../../wallet/transactions.ts";
import { reasonText } from "./failure-reasons.ts";
import { outcomeText, type PositionAt } from "./outcome.ts";
import { type ActionState, isUnderWay } from "./use-action.ts";

/** A pending transaction is shown as slow after this time in milliseconds: the specification's receipt timeout. */
const slowAfter = 300_000;

interface ProgressProps {
  action: ActionState;
  /** The product; null when the action covers several. */
  product: ProductDetail | null;
  /** The wallet's balance in the product, as read at a block; absent when no single figure describes it. */
  position?: PositionAt | null;
}

/** The stage of the action, in a polite live region. */
export function Progress({ action, product, position = null }: ProgressProps) {
  const root = useRef<HTMLDivElement>(null);
  const step = isUnderWay(action.stage) ? action.stage.stage : (action.transaction?.stage ?? action.stage.stage);
  useEffect(() => {
    if (step !== "idle") root.current?.scrollIntoView({ block: "nearest" });
  }, [step]);
  return (
    <div
      ref={root}
      role="status"
      aria-live="polite"
      aria-atomic="true"
      data-testid="action-progress"
      className="flex flex-col gap-3 empty:hidden"
    >
      <Current action={action} product={product} position={position} />
    </div>
  );
}

function Current({ action, product, position = null }: ProgressProps) {
  const { stage, transaction } = action;
  const dismiss = (
    <Button size="small" look="secondary" onClick={action.dismiss}>
      {t("transact.dismiss")}
    </Button>
  );
  if (isUnderWay(stage)) return <UnderWay stage={stage} awaited={action.awaited ?? null} product={product} />;
  if (transaction?.stage === "pending") return <Pending transaction={transaction} />;
  const failed = stage.stage === "failed" ? stage.reason : null;
  const partDone = stage.stage === "failed" && stage.partDone === true;
  const symbol = product?.asset.symbol ?? transaction?.symbol ?? "";
  return (
    <>
      {transaction !== null && (
        <Settled
          transaction={transaction}
          product={product}
          position={position}
          actions={
            failed === null && (
              <>
                {dismiss}
                {transaction.stage === "confirmed" && <PortfolioLink />}
              </>
            )
          }
        />
      )}
      {failed !== null && (
        <Notice
          look="error"
          title={t(failed.code === "stepLost" ? "transact.done.dropped.title" : "transact.stage.failed")}
          actions={dismiss}
        >
          {reasonText(failed, symbol)}{" "}
          {failed.code !== "stepLost" &&
            t(transaction === null && !partDone ? "transact.stage.nothingMoved" : "transact.stage.noMore")}
        </Notice>
      )}
    </>
  );
}

function UnderWay({
  stage,
  awaited,
  product,
}: {
  stage: ActionStage;
  awaited: TrackedTransaction | null;
  product: ProductDetail | null;
}) {
  switch (stage.stage) {
    case "simulating":
      return <Step part={stage.part} title={t("transact.stage.simulating")} />;
    case "signing":
      return (
        <Step
          part={stage.part}
          title={t("transact.stage.signing")}
          text={t(`transact.signing.${stage.what}`, { product: product?.name ?? "" })}
        />
      );
    case "approving":
      return <Step title={t("transact.stage.approving")} text={t("transact.stage.waitingText")} sent={awaited} />;
    case "waiting":
      return (
        <Step
          part={stage.part}
          title={t("transact.stage.pending")}
          text={t("transact.stage.waitingText")}
          sent={awaited}
        />
      );
    default:
      return null;
  }
}

function Step({
  title,
  text,
  part,
  sent = null,
}: {
  title: string;
  text?: string;
  part?: Part | undefined;
  sent?: TrackedTransaction | null;
}) {
  return (
    <div className="flex gap-3 rounded-12 border border-line p-4 text-14">
      <Spinner className="mt-0.5 size-5 shrink-0 text-accent" />
      <div>
        <p className="font-strong">{title}</p>
        {part !== undefined && part.of > 1 && <p>{t("transact.stage.part", { index: part.index, of: part.of })}</p>}
        {text && <p className="text-muted">{text}</p>}
        {sent && <Slow transaction={sent} />}
        {sent && <Hash transaction={sent} />}
      </div>
    </div>
  );
}

function useSlow({ sentAt }: TrackedTransaction): boolean {
  return useNow(10_000) - sentAt > slowAfter;
}

function Slow({ transaction }: { transaction: TrackedTransaction }) {
  return useSlow(transaction) && <p className="text-muted">{t("transact.stage.slow")}</p>;
}

function Pending({ transaction }: { transaction: TrackedTransaction }) {
  const slow = useSlow(transaction);
  return (
    <div className="flex gap-3 rounded-12 border border-line p-4 text-14">
      <Spinner className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0 flex-1">
        <p className="font-strong">{t("transact.stage.pending")}</p>
        <p>{transaction.description}</p>
        <p className="text-muted">{t(slow ? "transact.stage.slow" : "transact.stage.pendingText")}</p>
        <Hash transaction={transaction} />
      </div>
    </div>
  );
}

interface SettledProps {
  transaction: TrackedTransaction;
  product: ProductDetail | null;
  position: PositionAt | null;
  actions: React.ReactNode;
}

const looks = {
  confirmed: "success",
  replaced: "caution",
  dropped: "caution",
  failed: "error",
  pending: "info",
} as const;

function Settled({ transaction, product, position, actions }: SettledProps) {
  const { title, lines } = outcomeText(transaction, product, position);
  return (
    <Notice look={looks[transaction.stage]} title={title} actions={actions}>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <Hash transaction={transaction} />
    </Notice>
  );
}

/** Links to the page with all of the wallet's positions; hidden on that page itself. */
function PortfolioLink() {
  const { pathname } = useLocation();
  if (pathname === paths.portfolios) return null;
  return (
    <Link to={paths.portfolios} className={buttonClasses({ size: "small", look: "secondary" })}>
      {t("transact.done.portfolio")}
    </Link>
  );
}

function Hash({ transaction }: { transaction: TrackedTransaction }) {
  const { hash } = transaction;
  if (hash === null) return null;
  const explorer = findChain(transaction.chainId)?.explorer ?? null;
  const short = shortenAddress(hash);
  return (
    <p className="mt-1 flex items-center gap-1 font-mono text-12">
      {explorer === null ? (
        short
      ) : (
        <a className="link" href={`${explorer}/tx/${hash}`} target="_blank" rel="noreferrer">
          {short}
        </a>
      )}
      <CopyButton text={hash} what={t("transact.hash")} />
    </p>
  );
}
