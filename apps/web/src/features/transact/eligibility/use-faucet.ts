import type { FaucetResult } from "@aqua/sdk/api/faucet";
import { localChain } from "@aqua/sdk/chains";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reportFault } from "../../../report-error.ts";
import { waitForSuccess } from "../../../wallet/lazy/operations.ts";
import { api } from "../../api.ts";
import { queryKeys } from "../../query-keys.ts";

export type FaucetStage =
  | { stage: "idle" }
  | { stage: "asking" }
  | { stage: "pending" }
  | { stage: "done"; sent: FaucetResult }
  | { stage: "failed"; message: string };

/** Test dollars and gas for `address` on the local chain. */
export function useFaucet(address: `0x${string}` | null) {
  const queries = useQueryClient();
  const [stage, setStage] = useState<FaucetStage>({ stage: "idle" });

  async function getMoney() {
    if (address === null) return;
    setStage({ stage: "asking" });
    try {
      const sent = await api.faucet({ address });
      setStage({ stage: "pending" });
      for (const hash of sent.hashes) await waitForSuccess(localChain.id, hash as `0x${string}`);
      await queries.invalidateQueries({ queryKey: queryKeys.account(address) });
      setStage({ stage: "done", sent });
    } catch (error) {
      reportFault("wallet", error);
      setStage({ stage: "failed", message: messageOf(error) });
    }
  }

  return { stage, busy: stage.stage === "asking" || stage.stage === "pending", getMoney };
}

/** The server's message, or "" when it did not answer. */
function messageOf(error: unknown): string {
  const message = (error as { shortMessage?: unknown; message?: unknown } | null) ?? {};
  if (typeof message.shortMessage === "string") return message.shortMessage;
  return typeof message.message === "string" ? message.message : "";
}
