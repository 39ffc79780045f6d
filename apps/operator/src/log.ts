import { toBase64 } from "@aqua/sdk/proofs/log/checkpoint";
import { type LogKind, logKinds, readEntry } from "@aqua/sdk/proofs/log/entry";
import type { Address } from "viem";
import { CommandError, serverUrl, UsageError } from "./api.ts";
import { connect, findDeployment } from "./audit/chain.ts";
import { networkOf } from "./audit/network.ts";
import { findingText } from "./audit/report.ts";
import { createSite, type Site } from "./audit/site.ts";
import { registriesOf, siteUrlOf, unreachable } from "./audit.ts";
import { wholeOf } from "./chainOptions.ts";
import type { AnchorSource } from "./log/anchors.ts";
import { checkpointOf, readEntries, readText, TILE_WIDTH } from "./log/download.ts";
import type { PlacedEntry } from "./log/entries.ts";
import { entryText } from "./log/entryText.ts";
import { type KnownCheckpoint, rootOf, verifyLog } from "./log/verification.ts";
import { verdictText } from "./log/verificationText.ts";
import { operatorApi } from "./operatorApi.ts";
import { readState, writeState } from "./stateFile.ts";
import { jsonText, type Terminal } from "./terminal.ts";

const exitCodes = { right: 0, wrong: 1, unknown: 2 } as const;
/** Entries that `list` prints, and bundles that it searches for them. */
const [MAX_LISTED, MAX_BUNDLES] = [20, 40];

interface VerifyOptions {
  rpc?: string[] | undefined;
  registry?: string[] | undefined;
  state?: string | undefined;
  key?: string | undefined;
  json?: true | undefined;
}

const isCheckpoint = ({ key, origin, size, root, time }: Partial<KnownCheckpoint>) =>
  [key, origin, root].every((one) => typeof one === "string") &&
  [size, time].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);

/** `aqua log verify`: verifies a site's log. Returns the exit code. */
export async function verifySite(address: string, values: VerifyOptions, terminal: Terminal): Promise<number> {
  const url = siteUrlOf(address);
  const registries = registriesOf(values.registry);
  try {
    const site = createSite(url);
    const known =
      values.state === undefined
        ? null
        : await readState<KnownCheckpoint>(values.state, "a verification of a log", isCheckpoint);
    const chains = await chainsOf(site, values.rpc ?? [], registries);
    const result = await verifyLog({ site, key: values.key ?? null, known, chains });
    if (result === null) throw new CommandError("this site has no log");
    const { checkpoint, findings, key, keySource, ...found } = result;
    const head = checkpoint && { origin: checkpoint.origin, size: checkpoint.size, root: toBase64(checkpoint.root) };
    if (values.json) terminal.out(jsonText({ checkpoint: head, key, key_source: keySource, ...found, findings }));
    else {
      terminal.out(verdictText(result, chains.length > 0));
      for (const finding of findings) terminal.out(`  ${findingText(finding)}\n`);
      const count = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
      terminal.out(`${checkpoint?.size ?? 0} entries verified, ${count}\n`);
    }
    if (findings.length > 0 || head === null) return exitCodes.wrong;
    if (values.state !== undefined) await writeState(values.state, { key, ...head, time: Date.now() });
    return exitCodes.right;
  } catch (error) {
    const message = unreachable(error);
    if (message === null) throw error;
    terminal.error(`aqua: could not verify: ${message}\n`);
    return exitCodes.unknown;
  }
}

/** The chains of the site of which a node is named. */
async function chainsOf(
  site: Site,
  rpcUrls: readonly string[],
  registries: readonly Address[],
): Promise<AnchorSource[]> {
  if (rpcUrls.length === 0) return [];
  const named = await networkOf(site, registries);
  const clients = await connect(rpcUrls);
  const other = [...clients.keys()].find((chainId) => !named.some((one) => one.chainId === chainId));
  if (other !== undefined) throw new CommandError(`the site has no products on chain ${other}`);
  const chains: AnchorSource[] = [];
  for (const one of named) {
    const client = clients.get(one.chainId);
    if (client) chains.push({ client, deployment: await findDeployment(client, { ...one, from: undefined }) });
  }
  return chains;
}

/** `aqua log list`: prints the newest entries. */
export async function listEntries(
  { kind, json }: { kind?: string | undefined; json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  if (kind !== undefined && !(logKinds as readonly string[]).includes(kind)) {
    throw new UsageError(`--kind must be one of ${logKinds.join(", ")}`);
  }
  const newest = await newestEntries(createSite(serverUrl(terminal.environment)), kind as LogKind | undefined);
  if (json) return terminal.out(jsonText(newest));
  terminal.out(newest.length === 0 ? "No entries.\n" : newest.map(entryText).join(""));
}

/** The newest entries of a kind, or of all that are not about persons, the newest first. */
async function newestEntries(site: Site, kind: LogKind | undefined): Promise<PlacedEntry[]> {
  const [text, key] = [await readText(site, "checkpoint"), await readText(site, "key")];
  if (text === null || key === null) throw new CommandError("this server has no log");
  const checkpoint = checkpointOf(text, key.trim());
  if ("path" in checkpoint) throw new CommandError(findingText(checkpoint));
  const found: PlacedEntry[] = [];
  const last = Math.ceil(checkpoint.size / TILE_WIDTH) - 1;
  for (let n = last; n >= 0 && n > last - MAX_BUNDLES && found.length < MAX_LISTED; n -= 1) {
    const first = n * TILE_WIDTH;
    const bundle = await readEntries(site, n, Math.min(TILE_WIDTH, checkpoint.size - first));
    if (!Array.isArray(bundle)) throw new CommandError(findingText(bundle));
    const entries = bundle.map((bytes, place) => ({ index: first + place, entry: readEntry(bytes) }));
    found.push(
      ...entries.reverse().filter(({ entry }) => (kind === undefined ? entry.kind !== "account" : entry.kind === kind)),
    );
  }
  return found.slice(0, MAX_LISTED);
}

/** `aqua log restore`: declares that a checkpoint is void after the restore of a backup. */
export async function declareRestore(
  values: { size: string; root: string; reason: string },
  terminal: Terminal,
): Promise<void> {
  const size = wholeOf("size", values.size, 1);
  const reason = values.reason.trim();
  if (reason === "") throw new UsageError("--reason must say why; everybody can read it");
  await operatorApi(terminal).json("log/restore", { size, root: rootOf(values.root), reason });
  terminal.out(`Declared, for all to see: the checkpoint of ${size} entries is no longer a part of the log\n`);
}
