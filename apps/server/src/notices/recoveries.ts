import { DAY } from "@aqua/sdk/durations";
import { getAddress } from "viem";
import { type ChainFacts, type ContentOf, defineMail } from "../mail/definition.ts";
import { mailFormat } from "../mail/format.ts";
import { recoveryOf } from "../transparency/announcements.ts";
import { type ChainView, figuresOf, type Notice } from "./notice.ts";
import { executedRecoveries, walletsWithRecoveries } from "./store.ts";

interface Recovery extends ChainFacts {
  wallet: string;
  successor: string;
}
interface ProposedRecovery extends Recovery {
  proposed: string;
  from: string;
  until: string;
}

export const recoveryMails = {
  recovery_proposed: defineMail<ProposedRecovery>({ action: "action.app", required: true }),
  recovery_pending: defineMail<ProposedRecovery>({ action: "action.app", required: true }),
  recovery_executed: defineMail<Recovery & { time: string }>({ action: "recovery_executed.action", required: true }),
};
type RecoveryNotice = Notice<ContentOf<typeof recoveryMails>>;

/** A recovery executed longer ago causes no notice, because a first start reads years of them. Seconds. */
const NEWS = 3 * DAY;

/**
 * Notifies the owner of the wallet to be replaced: at once, again after a day without a veto, and after the execution.
 */
export async function recoveries(view: ChainView): Promise<RecoveryNotice[]> {
  const { tx, chain, state } = view;
  const { chainId } = chain;
  const notices: RecoveryNotice[] = [];
  for (const { accountId, wallet } of await walletsWithRecoveries(tx, chainId)) {
    const recovery = await recoveryOf(tx, { chainId, wallet, now: state.time });
    if (recovery === null) continue;
    const { successor, proposed_at, executable_at, expires_at, hash } = recovery;
    const pending = state.time * 1_000 >= proposed_at + DAY * 1_000;
    notices.push({
      accountId,
      kind: "recoveries",
      // The key uses the hash of the proposal's transaction, because the times of its block change if the block is
      // replaced.
      key: `recovery:${chainId}:${wallet}:${hash}:${pending ? "pending" : "proposed"}`,
      compose(language) {
        const format = mailFormat(language);
        return {
          kind: pending ? "recovery_pending" : "recovery_proposed",
          path: "/portfolios",
          wallet: recovery.wallet,
          successor,
          proposed: format.dateTime(proposed_at),
          from: format.dateTime(executable_at),
          until: format.dateTime(expires_at),
          notes: [state.time * 1_000 < executable_at ? "veto_before" : "veto_now"],
          ...figuresOf(view, format),
        };
      },
    });
  }
  for (const { accountId, act } of await executedRecoveries(tx, { chainId, since: state.time - NEWS })) {
    const { wallet = "", successor = "" } = act.args;
    notices.push({
      accountId,
      kind: "recoveries",
      key: `recovery:${chainId}:${wallet}:${successor}:executed`,
      compose(language) {
        const format = mailFormat(language);
        return {
          kind: "recovery_executed",
          path: "/transparency",
          wallet: getAddress(wallet),
          successor: getAddress(successor),
          time: format.dateTime(act.time * 1_000),
          ...figuresOf(view, format),
        };
      },
    });
  }
  return notices;
}
