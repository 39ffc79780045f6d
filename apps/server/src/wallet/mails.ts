import { type ContentOf, defineMail } from "../mail/definition.ts";

const opensAccount = { action: "action.account", page: "/account" } as const;

/** Mails about the wallet of an account. */
export const walletMails = {
  wallet_linked: defineMail<{ address: string }>(opensAccount),
  wallet_unlinked: defineMail<{ address: string }>(opensAccount),
  /** `address` replaced `former`. */
  wallet_switched: defineMail<{ address: string; former: string }>(opensAccount),
  /** `path` opens the page that stops the switch. `time` is the moment from which the chain records it. */
  switch_waits: defineMail<{ address: string; former: string; time: string; path: string }>({
    action: "switch_waits.action",
  }),
  switch_stopped: defineMail<{ address: string; former: string }>({
    action: "action.new_password",
    page: "/forgot-password",
  }),
};
export type WalletMail = ContentOf<typeof walletMails>;
