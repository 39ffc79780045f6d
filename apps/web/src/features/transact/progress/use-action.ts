import type { ActionStage, Report } from "@aqua/sdk/chain/transaction";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { reportFault } from "../../../report-error.ts";
import { type TrackedTransaction, useTransactions } from "../../../wallet/transactions.ts";
import { queryKeys } from "../../query-keys.ts";

export interface ActionState {
  stage: ActionStage;
  /** The sent transaction that this panel follows; it may have been sent before a reload. */
  transaction: TrackedTransaction | null;
  /** A sent transaction that the action waits for before its next step. */
  awaited?: TrackedTransaction | null;
  /** True while no action can start because another one is under way. */
  busy: boolean;
  /** Runs an action unless `busy`. Resolves true when its transaction was sent. */
  start(action: (report: Report) => Promise<ActionStage>): Promise<boolean>;
  /** Hides the outcome. */
  dismiss(): void;
}

export interface ActionScope {
  /**
   * Names the part of the page that starts actions and shows their progress. The part does not show actions of other
   * parts.
   */
  scope: string;
  /** Null when it covers several products. */
  shortId: string | null;
  chainId: number;
  address: `0x${string}` | null;
}

/**
 * Wallets with an action under way on this page. Used when the browser has no locks, which it offers over https only.
 */
const acting = new Set<string>();

/**
 * Runs `action` unless another one of this wallet is under way, on this page or in another tab. A wallet shows one
 * prompt after the other without naming the page that sent it. Null when the action was not run.
 */
async function runAlone<Result>(address: string, action: () => Promise<Result>): Promise<Result | null> {
  const name = `aqua.action.${address.toLowerCase()}`;
  if (navigator.locks !== undefined)
    return navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? null : action()));
  if (acting.has(name)) return null;
  acting.add(name);
  try {
    return await action();
  } finally {
    acting.delete(name);
  }
}

/** Runs one action of this wallet at a time, from simulation to outcome. */
export function useAction({ scope, shortId, chainId, address }: ActionScope): ActionState {
  const queries = useQueryClient();
  const transactions = useTransactions(address);
  const [stage, setStage] = useState<ActionStage>({ stage: "idle" });
  /** Stored with its wallet, so that another wallet does not show it. */
  const [followed, setFollowed] = useState<{ address: string; id: string } | null>(null);
  const running = useRef(false);

  const own = transactions.filter((item) => item.scope === scope && item.chainId === chainId);
  const pending = own.find((item) => item.stage === "pending" && item.kind !== "approve");
  // Remembers the transaction, so that its outcome is shown once it is no longer pending.
  useEffect(() => {
    if (pending !== undefined) setFollowed({ address: pending.address, id: pending.id });
  }, [pending]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a change of wallet
  useEffect(() => {
    if (!running.current) setStage({ stage: "idle" });
  }, [address]);

  const followedTransaction =
    followed !== null && followed.address === address ? own.find((item) => item.id === followed.id) : null;
  const transaction = followedTransaction ?? pending ?? null;
  const settled = transaction !== null && transaction.stage !== "pending";
  const readAnew = useCallback(() => {
    if (address !== null) queries.invalidateQueries({ queryKey: queryKeys.account(address) });
    if (shortId !== null) queries.invalidateQueries({ queryKey: queryKeys.product(shortId) });
  }, [address, shortId, queries]);
  useEffect(() => {
    if (settled) readAnew();
  }, [settled, readAnew]);

  const underWay = isUnderWay(stage);
  const awaited = stage.stage === "approving" || stage.stage === "waiting" ? stage.id : null;
  return {
    stage,
    transaction,
    awaited: own.find((item) => item.id === awaited) ?? null,
    busy: underWay || transaction?.stage === "pending",
    async start(action) {
      if (running.current) return false;
      running.current = true;
      setFollowed(null);
      try {
        const last = await runAlone(address ?? "", () => action(setStage));
        if (last === null) {
          setStage({ stage: "failed", reason: { code: "otherAction", values: {} } });
          return false;
        }
        if (last.stage === "sent" && address !== null) setFollowed({ address, id: last.id });
        // The figures here do not yet include the cause of a refusal or a completed part, so they are read again.
        if (last.stage !== "sent") readAnew();
        return last.stage === "sent";
      } catch (error) {
        // Only errors before the first stage arrive here: the wallet's code or the server's list of chains did not
        // load.
        reportFault("wallet", error);
        setStage({ stage: "failed", reason: { code: "walletUnreachable", values: {} } });
        return false;
      } finally {
        running.current = false;
      }
    },
    dismiss() {
      setStage({ stage: "idle" });
      setFollowed(null);
    },
  };
}

/** True from the press of the button until the last transaction is sent. */
export function isUnderWay({ stage }: ActionStage): boolean {
  return stage === "simulating" || stage === "signing" || stage === "approving" || stage === "waiting";
}
