import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ActionStage, Report } from "../../wallet/lifecycle/stages.ts";
import { type TrackedTransaction, useTransactions } from "../../wallet/transactions.ts";
import { queryKeys } from "../query-keys.ts";

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

/** One deposit or withdrawal of this wallet in this product, from simulation to its end. */
export function useAction(shortId: string, chainId: number, address: `0x${string}` | null): ActionState {
  const queries = useQueryClient();
  const transactions = useTransactions(address);
  const [stage, setStage] = useState<ActionStage>({ stage: "idle" });
  /** Kept with its wallet: another wallet, another story. */
  const [followed, setFollowed] = useState<{ address: string; hash: string } | null>(null);
  const running = useRef(false);

  const own = transactions.filter((item) => item.shortId === shortId && item.chainId === chainId);
  const pending = own.find((item) => item.stage === "pending" && item.kind !== "approve");
  // Kept, so that the outcome is still shown when it is no longer pending.
  useEffect(() => {
    if (pending !== undefined) setFollowed({ address: pending.address, hash: pending.hash });
  }, [pending]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on a change of wallet
  useEffect(() => {
    if (!running.current) setStage({ stage: "idle" });
  }, [address]);

  const known =
    followed !== null && followed.address === address ? own.find((item) => item.hash === followed.hash) : null;
  const transaction = known ?? pending ?? null;
  const settled = transaction !== null && transaction.stage !== "pending";
  useEffect(() => {
    if (!settled || address === null) return;
    queries.invalidateQueries({ queryKey: queryKeys.account(address) });
    queries.invalidateQueries({ queryKey: queryKeys.product(shortId) });
  }, [settled, address, shortId, queries]);

  const underWay = stage.stage === "simulating" || stage.stage === "signing" || stage.stage === "approving";
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
        if (last.stage === "sent" && address !== null) setFollowed({ address, hash: last.hash });
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
