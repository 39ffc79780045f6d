import type { KnownDevices } from "../account/knownDevices.ts";
import type { Feature } from "../feature.ts";
import { walletRoutes } from "./routes.ts";
import { createWalletService, type WalletParts } from "./service.ts";
import { deleteExpiredNonces } from "./store.ts";

/** Links wallets to accounts and signs in with them. @throws StartRefused when no wallet can sign for `publicUrl` */
export function createWalletFeature(
  parts: WalletParts & { devices: Pick<KnownDevices, "remember" | "recognise"> },
): Feature {
  const { db, sessions, devices } = parts;
  return {
    routes: [walletRoutes({ db, sessions, wallets: createWalletService(parts), devices })],
    deleteExpired: () => deleteExpiredNonces(db.orm),
  };
}
