import type { Address } from "viem";
import type { Config } from "wagmi";
import { getCapabilities } from "wagmi/actions";
import type { Batching } from "../lifecycle/actions.ts";

/** Milliseconds for wallet_getCapabilities; some wallets never answer an unknown method. */
const patience = 3_000;

interface Capabilities {
  atomic?: { status?: string };
  /** The field of an earlier draft of EIP-5792. */
  atomicBatch?: { supported?: boolean };
}

/** Whether the connected wallet executes several calls on `chainId` in one bundle; null also when it does not say. */
export async function readBatching(config: Config, owner: Address, chainId: number): Promise<Batching> {
  const asking: Promise<Record<number, Capabilities | undefined> | null> = getCapabilities(config, { account: owner })
    .then((all) => all as Record<number, Capabilities | undefined>)
    .catch(() => null);
  const silence = new Promise<null>((resolve) => setTimeout(() => resolve(null), patience));
  const all = await Promise.race([asking, silence]);
  // Capabilities under chain 0 apply to every chain.
  return all === null ? null : batchingOf(all[chainId] ?? all[0]);
}

function batchingOf(capabilities: Capabilities | undefined): Batching {
  const status = capabilities?.atomic?.status;
  if (status === "supported" || capabilities?.atomicBatch?.supported === true) return "supported";
  return status === "ready" ? "ready" : null;
}
