// How many bytes each contract that ships puts on chain, against the committed figures and the limit of the plan.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { artefactFile, PUBLISHED } from "./build.mjs";
import { contractsRoot } from "./forge.mjs";

const snapshotFile = path.join(contractsRoot, "snapshots", "sizes.json");
/** Bytes of deployed code a contract of ours may have; docs/contracts.md says why some have a limit of their own. */
const LIMIT = 12_000;
const LIMITS = { DemandVault: 18_500, RedemptionQueue: 13_000, ReceiptRenderer: 13_000, TermDeposit: 19_000 };

/** Lines that say what is too large or differs from the snapshot; with `update` the snapshot is written instead. */
export function checkSizes({ update }) {
  const sizes = Object.fromEntries(
    PUBLISHED.map((contract) => {
      const { deployedBytecode } = JSON.parse(readFileSync(artefactFile(contract), "utf8"));
      return [contract, (deployedBytecode.object.length - 2) / 2];
    }),
  );
  if (update) writeFileSync(snapshotFile, `${JSON.stringify(sizes, null, 2)}\n`);
  const known = existsSync(snapshotFile) ? JSON.parse(readFileSync(snapshotFile, "utf8")) : {};
  return Object.entries(sizes).flatMap(([contract, size]) => [
    ...(size > (LIMITS[contract] ?? LIMIT) ? [`${contract} has ${size} bytes, too many`] : []),
    ...(size === known[contract] ? [] : [`${contract} has ${size} bytes, the snapshot says ${known[contract]}`]),
  ]);
}
