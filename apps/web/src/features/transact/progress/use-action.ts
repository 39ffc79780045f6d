import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ActionStage, Report } from "../../../wallet/lifecycle/stages.ts";
import { type TrackedTransaction, useTransactions } from "../../../wallet/transactions.ts";
import { queryKeys } from "../../query-keys.ts";

export interface ActionState {
  stage: ActionStage;
  /** The sent transaction this panel follows, also one of before a reload. */
  transaction: TrackedTransaction | null;
  /** Something is under way that must not be started twice. */
  busy: boolean;
  /** Runs an action unless one is under way. Resolves true when its transaction was sent. */
  start(action: (report: Report) => Promise<ActionStage>): Promise<boolean>;
  /** Puts the outcome away. */
  dismiss(): void;
}

export interface ActionScope {
  /** Names the part of the page that starts actions and shows their progress: it shows none of another part's. */
  scope: string;
  /** Null where it is about several products. */
  shortId: string | null;
  chainId: number;
  address: `0x${string}` | null;
}

/** One action of this wallet at a time, from simulation to its end. */
export function useAction({ scope, shortId, chainId, address }: ActionScope): ActionState {
  const queries = useQueryClient();
  const transactions = useTransactions(address);
  const [stage, setStage] = useState<ActionStage>({ stage: "idle" });
  /** Stored with its wallet: another wallet starts without it. */
  const [followed, setFollowed] = useState<{ address: string; id: string } | null>(null);
  const running = useRef(false);

  const own = transactions.filter((item) => item.scope === scope && item.chainId === chainId);
  const pending = own.find((item) => item.stage === "pending" && item.kind !== "approve");
  // Kept, so that the outcome is still shown when it is no longer pending.
  useEffect(() => {
    if (pending !== undefined) setFollowed({ address: pending.address, id: pending.id });
  }, [pending]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a change of wallet
  useEffect(() => {
    if (!running.current) setStage({ stage: "idle" });
  }, [address]);

  const known = followed !== null && followed.address === address ? own.find((item) => item.id === followed.id) : null;
  const transaction = known ?? pending ?? null;
  const settled = transaction !== null && transaction.stage !== "pending";
  useEffect(() => {
    if (!settled || address === null) return;
    queries.invalidateQueries({ queryKey: queryKeys.account(address) });
    if (shortId !== null) queries.invalidateQueries({ queryKey: queryKeys.product(shortId) });
  }, [settled, address, shortId, queries]);

  const underWay = isUnderWay(stage);
  return {
    stage,
    transaction,
    busy: underWay || transaction?.stage === "pending",
    async start(action) {
      if (running.current) return false;
      running.current = true;
      setFollowed(null);
      try {
        const last = await action(setStage);
        if (last.stage === "sent" && address !== null) setFollowed({ address, id: last.id });
        return last.stage === "sent";
      } catch (error) {
        // Only what comes before the first stage can land here: the wallet's code could not be fetched.
        const detail = error instanceof Error ? error.message : "";
        setStage({ stage: "failed", reason: { code: "unknown", values: { detail } } });
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

/** Between the press of the button and the sending of the last transaction. */
export function isUnderWay({ stage }: ActionStage): boolean {
  return stage === "simulating" || stage === "signing" || stage === "approving" || stage === "waiting";
}
