// What the handlers of the invariant runs really did. Every run adds a line "<suite>,<count>,<count>,…" to a file; an
// action that was never reached tests nothing, which is a failure.
import { existsSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { contractsRoot } from "./forge.mjs";

const hitsFile = path.join(contractsRoot, "cache", "hits.csv");

/** The counters of each suite in test/invariant, in the order of its handler. */
const ACTIONS = {
  DemandVault: [
    "deposit",
    "mint",
    "withdraw",
    "redeem",
    "transfer",
    "transfer refused",
    "intruder refused",
    "report",
    "wait",
    "donation",
    "record lost",
    "record regained",
    "pause, unpause",
    "close, open",
    "fee taken",
    "loss out of the stream",
    "loss of price",
    "deploy",
    "repay",
    "skim",
    "request",
    "process all",
    "process a part",
    "claim",
    "claim a part",
    "wallet replaced",
    "recovery",
    "loss taken back",
    "loss confirmed",
    "process in another order",
    "paid by a report",
    "queue blocked by the asset",
    "claim while the queue is blocked",
    "paid before a loss",
    "review allowed early",
    "re-entry refused",
    "re-entry without effect",
    ...["hostile reporter", "hostile owner", "hostile custodian", "hostile confirmer", "hostile guardian"],
    ...["hostile treasurer", "power refused"],
    "loss restored",
  ],
  IdentityRegistry: [
    ...["bind", "bind refused", "renew", "renew refused", "revoke", "revoke refused"],
    ...["freeze, unfreeze", "freeze refused", "switch", "switch refused"],
    ...["recovery proposed", "proposal refused", "veto", "veto refused", "cancel", "cancel refused"],
    ...["recovery executed", "execution refused", "deposit", "deposit refused", "used signature refused"],
  ],
  TelemetryAnchor: [
    ...["batch", "batch refused", "head kept", "batch proved to the head", "batch proved to a kept head"],
    ...["forgery refused", "key registered", "key refused", "key dropped", "key revoked", "revocation refused"],
    ...["signature of a past key", "wait"],
  ],
  TermDeposit: [
    ...["open", "open without reserve", "open in a winding down", "open without a record"],
    ...["close", "close without cash", "early exit", "rollover", "instruction", "auto-roll", "auto-roll too late"],
    ...["transfer", "transfer refused", "theft refused", "interest funded", "interest withdrawn", "deploy", "repay"],
    ...["loss borne", "loss winds down", "demand", "demand winds down", "claim", "wait", "donation"],
    ...["record lost", "wallet replaced", "pause, close", "open on lapsed evidence", "evidence renewed"],
    ...["demanded payment brought", "re-entry refused", "re-entry without effect", "hostile treasurer"],
    ...["hostile reporter", "hostile owner", "hostile guardian", "hostile custodian", "power refused"],
    "early exit of a part",
  ],
};

export function forgetHits() {
  rmSync(hitsFile, { force: true });
}

/** Per suite the sums of its counters as one line to print, and the actions that were never reached. */
export function readHits() {
  const rows = existsSync(hitsFile) ? readFileSync(hitsFile, "utf8").trim().split("\n") : [];
  const lines = rows.map((row) => row.split(","));
  return Object.entries(ACTIONS).map(([suite, actions]) => {
    const own = lines.filter(([name]) => name === suite);
    const sums = actions.map((_, i) => own.reduce((sum, line) => sum + Number(line[i + 1] ?? 0), 0));
    return {
      line: `${suite}: ${actions.map((action, i) => `${action} ${sums[i]}`).join(" · ")}`,
      missed: actions.filter((_, i) => !(sums[i] > 0)).map((action) => `${suite} ${action}`),
    };
  });
}
