import { z } from "zod";
import { address, transactionHash } from "./envelope.ts";

/** Exists on the local chain only: test dollars and gas for a wallet. */
export const faucetBody = z.object({ address });
/** Amounts that the faucet sent, and its transactions. */
export const faucetResult = z.object({ assets: z.string(), gas: z.string(), hashes: z.array(transactionHash) });
export type FaucetResult = z.infer<typeof faucetResult>;
