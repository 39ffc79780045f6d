import { createPublicClient, http } from "viem";
import { createKnownDevices } from "../../../src/account/knownDevices.ts";
import { createNotify } from "../../../src/account/notices.ts";
import { createSessions } from "../../../src/account/sessions.ts";
import type { Database } from "../../../src/db/database.ts";
import { createEventHub, type EventHub } from "../../../src/events/hub.ts";
import { createOnce } from "../../../src/idempotency/once.ts";
import { createKeys } from "../../../src/keys.ts";
import { createLimits } from "../../../src/limits/limits.ts";
import type { Mail } from "../../../src/mail/mail.ts";
import { createLogWriter } from "../../../src/publicLog/writer.ts";
import type { WalletMail } from "../../../src/wallet/mails.ts";
import { walletRoutes } from "../../../src/wallet/routes.ts";
import { createWalletService } from "../../../src/wallet/service.ts";

export interface WalletFeature {
  /** The node's URL. Without it, no chain answers. */
  url?: string;
  publicUrl?: string;
  events?: EventHub;
  /** Wallets that were replaced by others on chain. */
  retired?: ReadonlySet<string>;
  /** Called during the query whether a wallet was replaced on chain. */
  meanwhile?: () => Promise<void>;
  /** Receives all mails, regardless of the address. */
  mails?: Mail<WalletMail>[];
}

/** The wallet routes on these tables, with one chain that has identity records. */
export function walletFeature(
  db: Database,
  { url = "http://127.0.0.1:1", publicUrl, events, retired, meanwhile, mails = [] }: WalletFeature = {},
) {
  const chainId = 31337;
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }), cacheTime: 0 });
  const keys = createKeys(new Uint8Array(32).fill(7));
  const sessions = createSessions(db, keys);
  const devices = createKnownDevices(keys, publicUrl ?? "https://aqua.example");
  const wallets = createWalletService({
    async isRetired(address) {
      await meanwhile?.();
      return retired?.has(address) ?? false;
    },
    db,
    chains: [{ chainId, client }],
    recordChainIds: [chainId],
    sessions,
    limits: createLimits(db, keys),
    events: events ?? createEventHub(),
    publicUrl: publicUrl ?? "https://aqua.example",
    notify: createNotify({ enqueue: async (_tx, mail) => void mails.push(mail) }),
    mailTo: async (_tx, mail) => void mails.push(mail),
    security: { noteLogIn: async () => {} },
    writer: createLogWriter(keys),
    switchDelayMs: 86_400_000,
    notifyJobs: () => {},
  });
  return walletRoutes({ db, sessions, wallets, once: createOnce(db), devices });
}
