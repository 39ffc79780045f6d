import { z } from "zod";
import { address, transactionHash } from "./envelope.ts";

/** Sends test dollars and gas to a wallet. Exists only on the local chain. */
export const faucetBody = z.object({ address });
/** The amounts that the faucet sent, and the hashes of its transactions. */
export const faucetResult = z.object({ assets: z.string(), gas: z.string(), hashes: z.array(transactionHash) });
export type FaucetResult = z.infer<typeof faucetResult>;
