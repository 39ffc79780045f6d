import { z } from "zod";
import { address, transactionHash } from "./envelope.ts";

/** Only on the local chain: test dollars and gas for a wallet. */
export const faucetBody = z.object({ address });
/** What the faucet sent, and the transactions that sent it. */
export const faucetResult = z.object({ assets: z.string(), gas: z.string(), hashes: z.array(transactionHash) });
export type FaucetResult = z.infer<typeof faucetResult>;

/** Only on the local chain, until accounts exist: a verified record for a wallet that signs for it. */
export const identityMessageBody = z.object({ address });
export const identityMessage = z.object({ message: z.string(), subject: z.string() });
export type IdentityMessage = z.infer<typeof identityMessage>;
export const identityBody = z.object({
  address,
  subject: z.string().regex(/^0x[0-9a-f]{32}$/),
  message: z.string().max(4000),
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .max(4000),
});
export const identityResult = z.object({ hash: transactionHash });
export type IdentityResult = z.infer<typeof identityResult>;
