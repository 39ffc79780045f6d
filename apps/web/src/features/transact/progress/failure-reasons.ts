import type { Reason } from "@aqua/sdk/chain/errors";
import { formatAmount, formatDateTime } from "../../../i18n/format.ts";
import { t } from "../../../i18n/i18n.ts";
import type { MessageKey } from "../../../i18n/keys.ts";

const sentences = {
  depositsClosed: "transact.reason.depositsClosed",
  exceededMaxDeposit: "transact.error.overMax",
  exceededMaxWithdraw: "transact.error.overWithdrawable",
  exceededMaxRedeem: "transact.reason.exceededMaxRedeem",
  belowMinimum: "transact.error.belowMinimum",
  insufficientBalance: "transact.reason.insufficientBalance",
  insufficientAllowance: "transact.reason.insufficientAllowance",
  insufficientGas: "transact.reason.insufficientGas",
  overPrincipal: "transact.error.overPrincipal",
  priceMoved: "transact.reason.priceMoved",
  zeroAmount: "transact.reason.zeroAmount",
  notVerified: "transact.reason.notVerified",
  frozen: "transact.reason.frozen",
  exitOnlyToSelf: "transact.reason.exitOnlyToSelf",
  permitInvalid: "transact.reason.permitInvalid",
  approvalFailed: "transact.reason.approvalFailed",
  approvalReplaced: "transact.reason.approvalReplaced",
  stepLost: "transact.reason.stepLost",
  chainUnavailable: "transact.reason.chainUnavailable",
  chainNotServed: "transact.reason.chainUnavailable",
  wrongNetwork: "transact.reason.wrongNetwork",
  cannotSwitch: "wallet.switchUnsupported",
  walletUnreachable: "transact.walletUnreachable",
  walletChanged: "transact.reason.walletChanged",
  otherAction: "transact.reason.otherAction",
  nonce: "transact.reason.nonce",
  noQueue: "transact.reason.noQueue",
  insufficientShares: "transact.reason.insufficientShares",
  tooManyPlaces: "transact.reason.tooManyPlaces",
  tokenTookFee: "transact.reason.tokenTookFee",
  tokenRefused: "transact.reason.tokenRefused",
  nothingToClaim: "transact.reason.nothingToClaim",
  capExceeded: "transact.reason.capExceeded",
  interestNotFunded: "transact.reason.interestNotFunded",
  noCash: "transact.reason.noCash",
  maturityTooLate: "transact.reason.maturityTooLate",
  paused: "transact.reason.paused",
  demandedAlready: "transact.reason.demandedAlready",
  notMatured: "transact.reason.notMatured",
  maturedMeanwhile: "transact.reason.maturedMeanwhile",
  receiptGone: "transact.reason.receiptGone",
  notYourReceipt: "transact.reason.notYourReceipt",
  earnsNothing: "transact.reason.earnsNothing",
  termNotOpen: "transact.reason.termNotOpen",
  productClosed: "transact.reason.depositsClosed",
  rateBelowMinimum: "transact.reason.rateBelowMinimum",
  windingDown: "transact.reason.windingDown",
  nothingToDemand: "transact.reason.nothingToDemand",
  noRecovery: "transact.reason.noRecovery",
  partFailed: "transact.reason.partFailed",
  partReplaced: "transact.reason.partReplaced",
  batchUnsent: "transact.reason.batchUnsent",
  batchUnknown: "transact.reason.batchUnknown",
  batchPartly: "transact.reason.batchPartly",
  switchNotVerified: "transact.reason.switchNotVerified",
  switchFrozen: "transact.reason.switchFrozen",
  switchRetired: "transact.reason.switchRetired",
  switchOtherIdentity: "transact.reason.switchOtherIdentity",
  switchSignature: "transact.reason.switchSignature",
  switchUnknown: "transact.reason.switchUnknown",
  switchFirst: "transact.reason.switchFirst",
  movedAlready: "transact.reason.movedAlready",
  reverted: "transact.reason.reverted",
  unknown: "transact.reason.unknown",
} as const satisfies Record<string, MessageKey>;

const texts = new Set(["detail", "most"]);
/** Unix milliseconds. */
const times = new Set(["time"]);

function valueText(name: string, value: string): string {
  if (texts.has(name)) return value;
  return times.has(name) ? formatDateTime(Number(value)) : formatAmount(value, { digits: 6, minDigits: 2 });
}

function keyOf(code: string): MessageKey {
  return Object.hasOwn(sentences, code) ? sentences[code as keyof typeof sentences] : sentences.unknown;
}

/** The reason of a failure as a sentence; amounts use the reader's format with every significant digit. */
export function reasonText(reason: Reason, symbol: string): string {
  const values = Object.entries(reason.values).map(([name, value]) => [name, valueText(name, value)]);
  return t(keyOf(reason.code), { detail: "", ...Object.fromEntries(values), symbol });
}
