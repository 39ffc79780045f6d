import { switchStatement } from "@aqua/sdk/takeover";
import { type Address, isAddressEqual } from "viem";
import { parseSiweMessage } from "viem/siwe";
import type { MessageKey } from "../../i18n/keys.ts";

type Kind = "message" | "signIn" | "link" | "switch" | "foreign" | "otherWallet";

/** A text of the catalog and the values of its placeholders. */
export interface MessageText {
  title: MessageKey;
  sentence: MessageKey;
  values: Record<string, string>;
}

function words(kind: Kind, values: Record<string, string> = {}) {
  return {
    title: `wallet.demo.${kind}.title`,
    sentence: `wallet.demo.${kind}.sentence`,
    values,
  } as const satisfies MessageText;
}

/**
 * Describes the effect of signing `text` with `from` on the site at `origin`. An EIP-4361 text that names another site
 * is a sign of phishing, so that is reported before anything else.
 */
export function describeMessage(text: string, from: Address, origin: string): MessageText {
  const { domain, address, uri, requestId, statement } = parseSiweMessage(text);
  if (domain === undefined || address === undefined) return words("message");
  const site = new URL(origin);
  if (domain !== site.host || uri === undefined || !URL.canParse(uri) || new URL(uri).origin !== site.origin)
    return words("foreign", { domain });
  if (!isAddressEqual(address, from)) return words("otherWallet", { address });
  if (requestId === undefined) return words("signIn", { domain });
  const former = /0x[0-9a-f]{40}/.exec(statement ?? "")?.[0];
  if (former !== undefined && statement === switchStatement(former))
    return words("switch", { domain, address: former });
  return words("link", { domain });
}
