import { toBase64 } from "@aqua/sdk/proofs/log/checkpoint";
import { minute } from "./entryText.ts";
import type { LogVerification } from "./verification.ts";

const MAX_NAMED = 5;

const sourceTexts = {
  caller: "the key of --key",
  earlier: "the key of the earlier verification",
  site: "the key that the site names; --key takes the one that you know",
} as const;

/** What was verified and what it rests on, in lines. */
export function verdictText(result: LogVerification, hasChain: boolean): string {
  const { checkpoint, key, keySource, operators, restores, unsigned } = result;
  if (checkpoint === null) return `The checkpoint could not be opened by ${sourceTexts[keySource]}.\n`;
  const lines = [
    `${checkpoint.origin}: ${checkpoint.size} entries, root ${toBase64(checkpoint.root)}`,
    `Signed by ${key}, ${sourceTexts[keySource]}`,
    `Operators in force: ${operators.join(", ") || "none, so that no act is signed"}`,
    ...restores.map(
      ({ index, time, size, reason }) =>
        `Restore: entry ${index} of ${minute(time)} says that the checkpoint of ${size} entries is no longer a part: ${reason}`,
    ),
    ...(unsigned.length === 0
      ? []
      : [`Not signed by an operator: ${named(unsigned.map((index) => `entry ${index}`))}`]),
    ...anchoredLines(result, hasChain),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function anchoredLines({ anchored }: LogVerification, hasChain: boolean): string[] {
  if (!hasChain) return ["Not compared with a chain: --rpc names a node of it"];
  return [
    `Batches on chain: ${anchored.named} name a checkpoint of this log, ${anchored.without} none`,
    ...(anchored.foreign === 0 ? [] : [`Batches on chain that name a checkpoint of another log: ${anchored.foreign}`]),
    ...(anchored.missing.length === 0 ? [] : [`Batches whose file the site does not have: ${named(anchored.missing)}`]),
  ];
}

function named(items: readonly string[]): string {
  const more = items.length - MAX_NAMED;
  return more > 0 ? `${items.slice(0, MAX_NAMED).join(", ")} and ${more} more` : items.join(", ");
}
