import { t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";

/** What the server says of a record that a chain does not take, and our words for it. */
const known: Record<string, MessageKey> = {
  "On this chain the wallet stands for another identity. Link another wallet.": "profile.record.why.otherSubject",
  "On this chain the wallet was replaced by another for good. Link another wallet.": "profile.record.why.retired",
  "It gave its place to another wallet for good.": "profile.record.why.handedOn",
  "The chain does not accept the wallet's signature. Link the wallet again.": "profile.record.why.signature",
  "A contract wallet's signature counts only on the chain it was given on. Link the wallet on this chain.":
    "profile.record.why.otherChain",
  "The contract of this wallet is not on this chain yet. It is verified here once it is.":
    "profile.record.why.notCreated",
};

/** Why a record waits or failed, in the reader's language where we have words for it. */
export function bindingReason(reason: string): string {
  const key = known[reason];
  return key ? t(key) : reason;
}
