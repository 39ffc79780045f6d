import { z } from "zod";
import { address } from "./envelope.ts";

/** GET network: facts about this instance that the browser needs first. */
export const network = z.object({
  version: z.string(),
  chains: z.array(
    z.object({
      chain_id: z.number().int(),
      identity_registry: address,
      product_registry: address,
      head: z.object({ block: z.number().int(), time: z.number().int(), stale: z.boolean() }).nullable(),
    }),
  ),
  /** Other chains whose node is proxied for wallets. None of our contracts are on them. */
  node_chains: z.array(z.number().int()),
  /** True if GET /v1/resolve-ens resolves ENS names. */
  name_service: z.boolean(),
  /** True only if the instance runs a local chain with a faucet. */
  faucet: z.boolean(),
  /** True only if `npm start` runs everything: /dev/outbox shows mails, and a sandbox decides identity checks. */
  demo: z.boolean(),
  walletconnect_project_id: z.string().nullable(),
});
export type Network = z.infer<typeof network>;
