import { z } from "zod";

const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);

/**
 * The deployment on one chain: `<chainId>.json` in the deployments folder. Products are found through the registry's
 * events.
 */
export const deployment = z.object({
  chain_id: z.number().int().positive(),
  /** The first block that an indexer must read. It contains the first contract. */
  start_block: z.number().int().nonnegative(),
  access_manager: address,
  identity_registry: address,
  product_registry: address,
  telemetry_anchor: address.optional(),
  /** Set only on the local chain. */
  test_dollar: address.optional(),
});
export type Deployment = z.infer<typeof deployment>;
