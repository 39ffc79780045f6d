import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import type { Address, Hex } from "viem";
import { encodeFunctionData } from "viem/utils";
import type { DeployChain } from "./chain.ts";
import type { Call } from "./steps.ts";

/** Calls left to the owner, who acts with a delay: first `schedule`, then, after the delay, the call itself. */
export interface OwnerTask extends Call {
  /** Account that may make the call in the present state of the chain; null when none may. */
  by: Address | null;
  /** Seconds. */
  delay: number;
  /** Still to be sent; null where there is no delay, and once it is scheduled. */
  schedule: { to: Address; data: Hex } | null;
  /** From when until when the call may be made (Unix seconds), once it is scheduled. */
  scheduled: { from: number; until: number } | null;
  /** In words, what the call itself has to wait for; null when it has not. */
  waitsFor: string | null;
}

/** Who of `candidates` may make a call, and how: the first that has scheduled it, else the first that may. */
export async function ownerTask({
  chain,
  accessManager,
  call,
  candidates,
}: {
  chain: DeployChain;
  accessManager: Address;
  call: Call;
  candidates: readonly Address[];
}): Promise<OwnerTask> {
  const waitsFor = call.after === undefined || (await chain.holds(call.after.reads)) ? null : call.after.what;
  const asked = candidates.map(async (by) => {
    const delay = await chain.delayOf(accessManager, by, call);
    return delay === null ? [] : [{ by, delay, scheduled: await chain.scheduleOf(accessManager, by, call) }];
  });
  const able = (await Promise.all(asked)).flat();
  // One who has scheduled it goes on: what an account has scheduled no other may do.
  const best = able.find(({ scheduled }) => scheduled !== null) ?? able[0] ?? { by: null, delay: 0, scheduled: null };
  const data = encodeFunctionData({ abi: accessManagerAbi, functionName: "schedule", args: [call.to, call.data, 0] });
  const schedule = best.delay === 0 || best.scheduled !== null ? null : { to: accessManager, data };
  return { ...call, ...best, schedule, waitsFor };
}
