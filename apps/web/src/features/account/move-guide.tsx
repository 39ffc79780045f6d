import type { Holding } from "@aqua/sdk/api/portfolio";
import type { Move } from "@aqua/sdk/chain/wallet-move";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { formatAmount, formatDateTime, shortenAddress } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { disconnect } from "../../wallet/lazy/island.tsx";
import { performMove, readMove } from "../../wallet/lazy/operations.ts";
import { useWallet } from "../../wallet/store.ts";
import { connectWallet, prefetchWallet } from "../open-wallet.ts";
import { chainName } from "../products/product-labels.ts";
import { queryKeys } from "../query-keys.ts";
import { attempt } from "../transact/eligibility/attempt.ts";
import { WrongNetwork } from "../transact/eligibility/wrong-network.tsx";
import { Progress } from "../transact/progress/progress.tsx";
import { useAction } from "../transact/progress/use-action.ts";
import { prove } from "../wallet-dialog/prove.ts";
import type { StoredSwitch } from "../wallet-dialog/stored-switch.ts";
import { type MoveStep, moveStep } from "./move-step.ts";

/**
 * Polling interval for the state of the move, in milliseconds. The operator writes a wallet's record without any action
 * of the visitor.
 */
const pace = 4_000;

interface MoveGuideProps {
  move: Move;
  /** Says whether the contracts of all holdings are known. */
  contracts: "known" | "reading" | "unreachable";
  holdings: readonly Holding[];
  verified: boolean;
  storedSwitch: StoredSwitch | null;
  /** Called after something was sent. Its outcome is shown here. */
  onBegun: () => void;
  onClose: () => void;
}

/**
 * Guides through the replacement of one wallet by another: the new wallet signs, the old one switches, and its holdings
 * are transferred.
 */
export function MoveGuide({ move, contracts, holdings, verified, storedSwitch, onBegun, onClose }: MoveGuideProps) {
  const { chainId, from, to } = move;
  const queries = useQueryClient();
  const wallet = useWallet();
  const now = useNow(1_000);
  const scope = `move/${from.toLowerCase()}`;
  const action = useAction({ scope, shortId: null, chainId, address: wallet.address });
  const positions = move.positions.map((position) =>
    position.what === "receipts" ? position.ids.join() : position.contract,
  );
  const read = useQuery({
    queryKey: [...queryKeys.account(from), "move", to.toLowerCase(), chainId, ...positions],
    queryFn: () => readMove(move),
    enabled: contracts === "known",
    refetchInterval: pace,
    placeholderData: (previous) => previous,
  });
  const position = read.data ?? (read.isError || contracts === "unreachable" ? "error" : null);
  const step = moveStep({ position, verified, storedSwitch, wallet, from, to, chainId, now });

  const settled = action.transaction !== null && action.transaction.stage !== "pending";
  const refetch = useEffectEvent(() => {
    for (const address of [from, to]) void queries.invalidateQueries({ queryKey: queryKeys.account(address) });
    void queries.invalidateQueries({ queryKey: queryKeys.me });
  });
  useEffect(() => {
    if (settled) refetch();
  }, [settled]);
  const isIdle = action.transaction === null && action.stage.stage === "idle";
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (step.step === "done" && isIdle) close();
  }, [step.step, isIdle]);

  const names = { from: shortenAddress(from), to: shortenAddress(to) };
  const remaining = position === null || position === "error" ? move.positions : position.left;
  const count = remaining.length;
  const start = () => {
    const sender = wallet.address;
    if (sender === null || (step.step !== "send" && step.step !== "bring")) return;
    onBegun();
    const signed = step.step === "send" ? step.storedSwitch : null;
    void action.start((report) => performMove({ ...move, positions: remaining, sender, signed }, scope, report));
  };
  const handedOn = step.step === "bring" || step.step === "done";
  return (
    <section
      aria-label={t("move.title", names)}
      data-testid="move"
      className="mt-4 flex flex-col gap-4 rounded-12 border border-line p-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-16">{t("move.title", names)}</h3>
        <p className="text-12 text-muted">{chainName(chainId)}</p>
      </div>
      <Preview holdings={holdings} names={names} handedOn={handedOn} />
      {step.step !== "done" && (
        <>
          <ol aria-label={t("move.steps")} className="flex flex-col gap-2 text-14">
            <Numbered number={1} done={handedOn || step.step === "send"} current={step.step === "sign"}>
              {t("move.step.sign", names)}
            </Numbered>
            <Numbered number={2} current={step.step === "send" || step.step === "bring"}>
              {handedOn
                ? t("move.step.bring", { ...names, count })
                : t("move.step.send", { ...names, count: count + 1 })}
            </Numbered>
          </ol>
          {!action.busy && (
            <>
              <p role="status" className="text-14">
                {stepText(step, names, wallet.address)}
              </p>
              <Buttons step={step} chainId={chainId} onSign={() => prove(from)} onSend={start} onClose={onClose} />
            </>
          )}
        </>
      )}
      <Progress action={action} product={null} />
    </section>
  );
}

interface Names extends Record<string, string> {
  from: string;
  to: string;
}

interface PreviewProps {
  holdings: readonly Holding[];
  names: Names;
  handedOn: boolean;
}

/** Shows the holdings that move and the consequences before anything is signed. */
function Preview({ holdings, names, handedOn }: PreviewProps) {
  return (
    <>
      {holdings.length > 0 && (
        <ul aria-label={t("move.list")} className="divide-y divide-line text-14">
          {holdings.map(({ short_id, name, deposit_id, value, symbol }) => (
            <li key={`${short_id}/${deposit_id}`} className="flex flex-wrap justify-between gap-x-4 py-1.5">
              <span>{deposit_id === null ? name : t("move.receipt", { product: name, receipt: deposit_id })}</span>
              <span className="font-mono">
                {formatAmount(value)} {symbol}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!handedOn && (
        <ul className="flex max-w-[68ch] list-disc flex-col gap-1.5 pl-5 text-14 text-muted">
          <li>{t("move.forEver", names)}</li>
          {holdings.some(({ deposit_id }) => deposit_id !== null) && <li>{t("move.instructions", names)}</li>}
          <li>{t("move.stays", names)}</li>
        </ul>
      )}
    </>
  );
}

interface NumberedProps {
  number: number;
  done?: boolean;
  current: boolean;
  children: ReactNode;
}

function Numbered({ number, done = false, current, children }: NumberedProps) {
  return (
    <li aria-current={current ? "step" : undefined} className={current ? "flex gap-3" : "flex gap-3 text-muted"}>
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full border border-line font-mono text-12"
      >
        {done ? <Check className="size-3.5 text-positive" strokeWidth={2} /> : number}
      </span>
      <span>
        {done && <span className="sr-only">{t("move.step.done")} </span>}
        {children}
      </span>
    </li>
  );
}

/** Describes in a sentence or two a step's state and what the visitor does next. */
function stepText(step: MoveStep, names: Names, connected: string | null): string {
  const needs = (need: "connect" | "other" | "network" | null, wanted: string | null) => {
    if (need === "connect") return wanted === null ? t("move.need.any") : t("move.need.connect", { wanted });
    if (need === "other" && wanted !== null && connected !== null)
      return t("move.need.other", { connected: shortenAddress(connected), wanted });
    return "";
  };
  switch (step.step) {
    case "reading":
      return t("move.reading");
    case "done":
      return "";
    case "frozen":
      return t("move.now.frozen", { wallet: shortenAddress(step.wallet) });
    case "sign": {
      const expired =
        step.expired === null ? "" : t("move.now.expired", { ...names, time: formatDateTime(step.expired) });
      const next = step.need === null && step.expired === null ? t("move.now.sign", names) : needs(step.need, names.to);
      return [expired, next].filter(Boolean).join(" ");
    }
    case "send": {
      const values = { ...names, time: formatDateTime(step.storedSwitch.expires) };
      if (step.need === null) return t("move.now.send", values);
      return [t("move.now.signed", values), needs(step.need, names.from)].filter(Boolean).join(" ");
    }
    case "bring": {
      const instruction = t("move.now.bring", { ...names, successor: shortenAddress(step.successor) });
      return [instruction, needs(step.need, null)].filter(Boolean).join(" ");
    }
    default:
      return t(`move.now.${step.step}`, names);
  }
}

interface ButtonsProps {
  step: MoveStep;
  chainId: number;
  onSign: () => Promise<unknown>;
  onSend: () => void;
  onClose: () => void;
}

function Buttons({ step, chainId, onSign, onSend, onClose }: ButtonsProps) {
  const need = "need" in step ? step.need : null;
  if (need === "network") return <WrongNetwork chainId={chainId} network={chainName(chainId)} />;
  return (
    <div className="flex flex-wrap gap-3">
      {need === "connect" && (
        <Button onPointerEnter={prefetchWallet} onFocus={prefetchWallet} onClick={connectWallet}>
          {t("shell.wallet.connect")}
        </Button>
      )}
      {need === "other" && (
        <Button look="secondary" onClick={() => attempt(disconnect)}>
          {t("move.disconnect")}
        </Button>
      )}
      {need === null && step.step === "sign" && <Button onClick={onSign}>{t("move.sign")}</Button>}
      {need === null && step.step === "send" && <Button onClick={onSend}>{t("move.send")}</Button>}
      {need === null && step.step === "bring" && <Button onClick={onSend}>{t("move.bring")}</Button>}
      <Button look="quiet" onClick={onClose}>
        {t("move.later")}
      </Button>
    </div>
  );
}
