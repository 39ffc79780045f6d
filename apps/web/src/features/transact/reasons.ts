import { formatAmount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import type { Reason } from "../../wallet/transactions.ts";

const sentences = {
  depositsClosed: "transact.reason.depositsClosed",
  exceededMaxDeposit: "transact.reason.exceededMaxDeposit",
  exceededMaxWithdraw: "transact.reason.exceededMaxWithdraw",
  exceededMaxRedeem: "transact.reason.exceededMaxRedeem",
  belowMinimum: "transact.reason.belowMinimum",
  insufficientBalance: "transact.reason.insufficientBalance",
  insufficientAllowance: "transact.reason.insufficientAllowance",
  insufficientGas: "transact.reason.insufficientGas",
  priceMoved: "transact.reason.priceMoved",
  zeroAmount: "transact.reason.zeroAmount",
  notVerified: "transact.reason.notVerified",
  frozen: "transact.reason.frozen",
  exitOnlyToSelf: "transact.reason.exitOnlyToSelf",
  permitInvalid: "transact.reason.permitInvalid",
  approvalFailed: "transact.reason.approvalFailed",
  approvalReplaced: "transact.reason.approvalReplaced",
  chainUnavailable: "transact.reason.chainUnavailable",
  chainNotServed: "transact.reason.chainUnavailable",
  wrongNetwork: "transact.reason.wrongNetwork",
  walletChanged: "transact.reason.walletChanged",
  nonce: "transact.reason.nonce",
  reverted: "transact.reason.reverted",
  unknown: "transact.reason.unknown",
} as const satisfies Record<string, MessageKey>;

const texts = new Set(["detail"]);

function keyOf(code: string): MessageKey {
  return Object.hasOwn(sentences, code) ? sentences[code as keyof typeof sentences] : sentences.unknown;
}

/** Why something failed, in a sentence; amounts in the reader's form with every digit that matters. */
export function reasonText(reason: Reason, symbol: string): string {
  const values = Object.entries(reason.values).map(([name, value]) => [
    name,
    texts.has(name) ? value : formatAmount(value, { digits: 6, minDigits: 2 }),
  ]);
  return t(keyOf(reason.code), { detail: "", ...Object.fromEntries(values), symbol });
}
