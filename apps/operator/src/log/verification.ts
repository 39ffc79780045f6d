import type { Finding } from "@aqua/sdk/audit/compare";
import { type Checkpoint, fromBase64, toBase64 } from "@aqua/sdk/proofs/log/checkpoint";
import { rootAt } from "@aqua/sdk/proofs/log/tree";
import { CommandError } from "../api.ts";
import type { Site } from "../audit/site.ts";
import { type AnchorSource, readAnchored } from "./anchors.ts";
import { checkpointOf, type DownloadedLog, downloadLog, readText } from "./download.ts";
import { checkEntries, type PlacedEntry } from "./entries.ts";

/** A checkpoint that an earlier verification saw, with the key that signed it. */
export interface KnownCheckpoint {
  key: string;
  origin: string;
  size: number;
  /** Base64. */
  root: string;
  /** When it was verified, Unix milliseconds. */
  time: number;
}

export interface LogQuestion {
  site: Site;
  /** The key that the caller trusts. Null: the known checkpoint's, or else the one that the site names. */
  key: string | null;
  known: KnownCheckpoint | null;
  chains: readonly AnchorSource[];
}

/** A declaration that a former checkpoint is no longer a part of the log, as after the restore of a backup. */
export interface Restore {
  index: number;
  time: number;
  size: number;
  root: string;
  reason: string;
}

export interface LogVerification {
  key: string;
  keySource: "caller" | "earlier" | "site";
  /** Null if it could not be opened. */
  checkpoint: Checkpoint | null;
  findings: Finding[];
  operators: readonly string[];
  restores: Restore[];
  unsigned: readonly number[];
  /** Batches on chain that name a checkpoint of this log, those that name another log's, and those that name none. */
  anchored: { named: number; foreign: number; without: number; missing: readonly string[] };
}

/**
 * Verifies a site's log. Null if the site has none.
 * @throws CommandError if the site cannot be reached, or names no key
 */
export async function verifyLog({ site, key, known, chains }: LogQuestion): Promise<LogVerification | null> {
  const text = await readText(site, "checkpoint");
  if (text === null) return null;
  const told = (await readText(site, "key"))?.trim() ?? null;
  const trusted = key ?? known?.key ?? told;
  if (trusted === null) throw new CommandError("the site names no key of its log; --key names it");
  const result: LogVerification = {
    key: trusted,
    keySource: key !== null ? "caller" : known !== null ? "earlier" : "site",
    ...{ checkpoint: null, findings: [], operators: [], restores: [], unsigned: [] },
    anchored: { named: 0, foreign: 0, without: 0, missing: [] },
  };
  const report = (finding: Finding) => void result.findings.push(finding);
  if (told !== null && told !== trusted) report({ path: "log/key", expected: trusted, found: told });
  const checkpoint = checkpointOf(text, trusted);
  if ("path" in checkpoint) {
    report(checkpoint);
    return result;
  }
  result.checkpoint = checkpoint;
  const log = await downloadLog(site, checkpoint, report);
  if (log === null) return result;
  const root = toBase64(await rootAt(checkpoint.size, log.nodes));
  const signed = toBase64(checkpoint.root);
  if (root !== signed) report({ path: "log/checkpoint.root", expected: root, found: signed });
  const { entries, ...checked } = await checkEntries(log.entries, checkpoint.origin, report);
  Object.assign(result, checked);
  result.restores = entries.flatMap(restoreIn);
  const history = { log, restores: result.restores };
  if (known !== null) {
    if (known.origin !== checkpoint.origin) {
      report({ path: "log/checkpoint.origin", expected: known.origin, found: checkpoint.origin });
    }
    await compareFormer(history, { ...known, path: "log/checkpoint before" }, report);
  }
  for (const chain of chains) await compareAnchored({ site, chain, history, result }, report);
  return result;
}

interface History {
  log: DownloadedLog;
  restores: readonly Restore[];
}

async function compareAnchored(
  { site, chain, history, result }: { site: Site; chain: AnchorSource; history: History; result: LogVerification },
  report: (finding: Finding) => void,
): Promise<void> {
  const { checkpoints, without, missing } = await readAnchored(site, chain, report);
  const own = checkpoints.filter(({ log }) => log.origin === history.log.checkpoint.origin);
  for (const { path, log, time } of own) await compareFormer(history, { ...log, path: `${path}.log`, time }, report);
  const { anchored } = result;
  result.anchored = {
    named: anchored.named + own.length,
    foreign: anchored.foreign + checkpoints.length - own.length,
    without: anchored.without + without,
    missing: [...anchored.missing, ...missing],
  };
}

/** A former checkpoint must be of the first entries of the log, unless a restore after it says otherwise. */
async function compareFormer(
  { log, restores }: History,
  { path, size, root, time }: { path: string; size: number; root: string; time: number },
  report: (finding: Finding) => void,
): Promise<void> {
  const expected = `${size} ${root}`;
  const isShorter = log.checkpoint.size < size;
  const own = isShorter ? null : toBase64(await rootAt(size, log.nodes));
  if (own === root || restores.some((restore) => isExplained(restore, { size, root, time }))) return;
  report({ path, expected, found: own === null ? `only ${log.checkpoint.size} entries` : `${size} ${own}` });
}

/** A restore names the last checkpoint of the entries that were lost. It says nothing of what came after it. */
function isExplained(restore: Restore, { size, root, time }: { size: number; root: string; time: number }): boolean {
  if (restore.time < time) return false;
  return size < restore.size || (size === restore.size && root === restore.root);
}

function restoreIn({ index, entry: { kind, time, content } }: PlacedEntry): Restore[] {
  if (kind !== "restore") return [];
  return [{ index, time, ...(content as { size: number; root: string; reason: string }) }];
}

/** @throws CommandError if the text is no 32 bytes in base64 */
export function rootOf(text: string): string {
  if (fromBase64(text)?.length === 32) return text;
  throw new CommandError("--root must be the third line of a checkpoint: 32 bytes in base64");
}
