import type { KnownDevices } from "../account/knownDevices.ts";
import type { Feature } from "../feature.ts";
import type { Once } from "../idempotency/once.ts";
import { walletRoutes } from "./routes.ts";
import { createWalletService, type WalletParts } from "./service.ts";
import { deleteExpiredNonces } from "./store.ts";

/**
 * Creates the feature that links wallets to accounts and logs in with them.
 * @throws StartRefused if no wallet can sign for `publicUrl`
 */
export function createWalletFeature(
  parts: WalletParts & { once: Once; devices: Pick<KnownDevices, "remember" | "recognise"> },
): Feature {
  const { db, sessions, once, devices } = parts;
  return {
    routes: [walletRoutes({ db, sessions, wallets: createWalletService(parts), once, devices })],
    deleteExpired: () => deleteExpiredNonces(db.orm),
  };
}
