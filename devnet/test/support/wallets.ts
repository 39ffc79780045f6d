import type { Address } from "viem";
import { depositor, successorWallet } from "../../src/accounts.ts";
import { recovered } from "../../src/seed/records.ts";

/** The wallet of a depositor's holdings after the seeded time, in which one wallet is recovered. */
export function walletAtEnd(index: number): Address {
  return (index === recovered.depositor ? successorWallet() : depositor(index)).address;
}
