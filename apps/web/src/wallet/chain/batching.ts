import type { Address } from "viem";
import type { Config } from "wagmi";
import { getCapabilities } from "wagmi/actions";
import type { Batching } from "../lifecycle/actions.ts";

/** Milliseconds a wallet has to say what it can do; some never answer a method they do not know. */
const patience = 3_000;

interface Capabilities {
  atomic?: { status?: string };
  /** An earlier draft of EIP-5792. */
  atomicBatch?: { supported?: boolean };
}

/** Whether the connected wallet carries out several calls on `chainId` as one; null too when it does not say. */
export async function readBatching(config: Config, owner: Address, chainId: number): Promise<Batching> {
  const asking: Promise<Record<number, Capabilities | undefined> | null> = getCapabilities(config, { account: owner })
    .then((all) => all as Record<number, Capabilities | undefined>)
    .catch(() => null);
  const silence = new Promise<null>((resolve) => setTimeout(() => resolve(null), patience));
  const all = await Promise.race([asking, silence]);
  // What is said of chain 0 holds for every chain.
  return all === null ? null : batchingOf(all[chainId] ?? all[0]);
}

function batchingOf(capabilities: Capabilities | undefined): Batching {
  const status = capabilities?.atomic?.status;
  if (status === "supported" || capabilities?.atomicBatch?.supported === true) return "supported";
  return status === "ready" ? "ready" : null;
}
