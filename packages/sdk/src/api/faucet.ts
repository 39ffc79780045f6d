import { z } from "zod";
import { address, transactionHash } from "./envelope.ts";

/** Only on the local chain: test dollars and gas for a wallet. */
export const faucetBody = z.object({ address });
/** What the faucet sent, and the transactions that sent it. */
export const faucetResult = z.object({ assets: z.string(), gas: z.string(), hashes: z.array(transactionHash) });
export type FaucetResult = z.infer<typeof faucetResult>;
