import { z } from "zod";
import { address } from "./envelope.ts";

/** Facts about this instance that the browser needs first: GET network. */
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
  /** Further chains whose node is proxied for wallets; none of our contracts are on them. */
  node_chains: z.array(z.number().int()),
  /** Whether GET /v1/resolve-ens resolves ENS names. */
  name_service: z.boolean(),
  /** True only where the instance runs a local chain with a faucet. */
  faucet: z.boolean(),
  /** True only where `npm start` runs everything: /dev/outbox shows mails, a sandbox decides identity checks. */
  demo: z.boolean(),
  walletconnect_project_id: z.string().nullable(),
});
export type Network = z.infer<typeof network>;
