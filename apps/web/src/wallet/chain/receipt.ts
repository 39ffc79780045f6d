import { prepareIsland } from "../connect/config.ts";
import { ActionError } from "../lifecycle/stages.ts";
import { receiptWait } from "../lifecycle/watch.ts";
import { chainClient } from "./client.ts";

/**
 * Resolves when `hash` is in a block and succeeded; throws ActionError `reverted`, or viem's timeout error after 300 s.
 */
export async function waitForSuccess(chainId: number, hash: `0x${string}`): Promise<void> {
  const { config } = await prepareIsland();
  const client = chainClient(config, chainId);
  const receipt = await client.waitForTransactionReceipt({ hash, timeout: receiptWait, pollingInterval: 1_000 });
  if (receipt.status !== "success") throw new ActionError("reverted", { detail: "" });
}
