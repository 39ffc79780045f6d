import type { FaucetResult } from "@aqua/sdk/api/faucet";
import { localChain } from "@aqua/sdk/chains";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isRefusal } from "../../wallet/lifecycle/refusal.ts";
import { signMessage, waitForSuccess } from "../../wallet/operations.ts";
import { api } from "../api.ts";
import { queryKeys } from "../query-keys.ts";

export type FaucetStage =
  | { stage: "idle" }
  | { stage: "asking" }
  | { stage: "signing" }
  | { stage: "pending" }
  | { stage: "done"; sent: FaucetResult | null }
  | { stage: "failed"; message: string };

/** Test dollars and gas, or a verified record, for `address` on the local chain. A refusal returns to idle. */
export function useFaucet(address: `0x${string}` | null) {
  const queries = useQueryClient();
  const [money, setMoney] = useState<FaucetStage>({ stage: "idle" });
  const [record, setRecord] = useState<FaucetStage>({ stage: "idle" });

  async function run(set: (stage: FaucetStage) => void, work: (owner: `0x${string}`) => Promise<FaucetResult | null>) {
    if (address === null) return;
    set({ stage: "asking" });
    try {
      const sent = await work(address);
      await queries.invalidateQueries({ queryKey: queryKeys.account(address) });
      set({ stage: "done", sent });
    } catch (error) {
      set(isRefusal(error) ? { stage: "idle" } : { stage: "failed", message: messageOf(error) });
    }
  }

  return {
    money,
    record,
    getMoney: () =>
      run(setMoney, async (owner) => {
        const sent = await api.faucet({ address: owner });
        setMoney({ stage: "pending" });
        for (const hash of sent.hashes) await waitForSuccess(localChain.id, hash as `0x${string}`);
        return sent;
      }),
    getRecord: () =>
      run(setRecord, async (owner) => {
        const { message, subject } = await api.identityMessage({ address: owner });
        setRecord({ stage: "signing" });
        // The registry checks the signature over the message and this line, which it appends by itself.
        const signature = await signMessage(owner, `${message}\nRequest ID: ${subject}`);
        setRecord({ stage: "pending" });
        const { hash } = await api.devIdentity({ address: owner, subject, message, signature });
        await waitForSuccess(localChain.id, hash as `0x${string}`);
        return null;
      }),
  };
}

/** What the server said, or nothing when it did not answer. */
function messageOf(error: unknown): string {
  const message = (error as { shortMessage?: unknown; message?: unknown } | null) ?? {};
  if (typeof message.shortMessage === "string") return message.shortMessage;
  return typeof message.message === "string" ? message.message : "";
}
