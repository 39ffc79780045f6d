import { z } from "zod";
import { address } from "./envelope.ts";

/** What the browser must know about this instance before anything else: GET network. */
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
  /** Further chains whose node is offered to wallets: no contracts of ours are known on them. */
  node_chains: z.array(z.number().int()),
  /** Whether GET /v1/resolve-ens finds names of wallets. */
  name_service: z.boolean(),
  /** True only where a local chain with a faucet serves this instance. */
  faucet: z.boolean(),
  /** True only where `npm start` runs everything: mails are read at /dev/outbox, identities decided by a sandbox. */
  demo: z.boolean(),
  walletconnect_project_id: z.string().nullable(),
});
export type Network = z.infer<typeof network>;
