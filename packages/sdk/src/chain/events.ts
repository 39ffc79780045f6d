import { type Log, parseEventLogs } from "viem";
import { demandVaultAbi } from "../abi/DemandVault.ts";
import { redemptionQueueAbi } from "../abi/RedemptionQueue.ts";
import { termDepositAbi } from "../abi/TermDeposit.ts";
import { formatUnits } from "../maths/units.ts";

/** Amounts of a transaction in whole units as decimal strings. Null if it has none. */
export interface Moved {
  amount: string | null;
  shares: string | null;
  /** Further values of the event: decimal strings in whole units, times in Unix milliseconds. */
  facts: Record<string, string>;
}

const abi = [...demandVaultAbi, ...redemptionQueueAbi, ...termDepositAbi] as const;
const events = [
  "Deposit",
  "Withdraw",
  "RedeemRequest",
  "Opened",
  "Closed",
  "ExitedEarly",
  "RolledOver",
  "Claimed",
] as const;

/**
 * The amounts that a confirmed transaction really moved, according to the contracts' own events. Displayed amounts are
 * thus those of the chain. A bundle of several actions has no single amount and retains the one with which it was sent.
 */
export function movedBy(
  transaction: { amount: string | null; assetDecimals: number; shareDecimals: number },
  logs: readonly Log[],
): Moved {
  const asset = (value: bigint) => formatUnits(value, transaction.assetDecimals);
  const share = (value: bigint) => formatUnits(value, transaction.shareDecimals);
  const movement: Moved = { amount: transaction.amount, shares: null, facts: {} };
  if (transaction.amount === null) return movement;
  const found = parseEventLogs({ abi, eventName: [...events], logs: [...logs] });
  const opened = found.find((event) => event.eventName === "Opened");
  const opening: Record<string, string> =
    opened === undefined
      ? {}
      : {
          receipt: String(opened.args.id),
          principal: asset(opened.args.principal),
          interest: asset(opened.args.interest),
          maturity: String(Number(opened.args.maturity) * 1_000),
        };
  // A rollover also emits the event of an opening. Its own event takes precedence.
  const event = found.find((one) => one.eventName === "RolledOver") ?? found[0];
  switch (event?.eventName) {
    case "Deposit":
    case "Withdraw":
      return { amount: asset(event.args.assets), shares: share(event.args.shares), facts: {} };
    case "RedeemRequest":
      return { amount: transaction.amount, shares: share(event.args.shares), facts: {} };
    case "Opened":
      return { amount: asset(event.args.principal), shares: null, facts: opening };
    case "RolledOver":
      return { amount: asset(event.args.paid), shares: null, facts: opening };
    case "Closed":
    case "ExitedEarly":
    case "Claimed":
      return { amount: asset(event.args.paid), shares: null, facts: {} };
    default:
      return movement;
  }
}
