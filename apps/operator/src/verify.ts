import { readFile } from "node:fs/promises";
import { readDeployment } from "@aqua/contracts/deploy/files";
import { inSpans } from "@aqua/contracts/deploy/spans";
import { DeployError } from "@aqua/contracts/deploy/steps";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { incomeReads } from "@aqua/sdk/chain/income-events";
import { batchDigest } from "@aqua/sdk/proofs/batch";
import type { ChainReader } from "@aqua/sdk/proofs/chain";
import { isBatchHeader, isReadingProof } from "@aqua/sdk/proofs/form";
import { isIncomeProof } from "@aqua/sdk/proofs/incomeForm";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { type Step, verdictOf } from "@aqua/sdk/proofs/steps";
import { verifyProof } from "@aqua/sdk/proofs/verify";
import { type LastReading, verifyAnchoring, verifyBatchFile, verifyFollowing } from "@aqua/sdk/proofs/verifyFile";
import { type Address, createPublicClient, getAddress, type Hex, http, isAddress, type PublicClient } from "viem";
import { timeOnChain } from "./anchoringTime.ts";
import { UsageError } from "./api.ts";
import { shown } from "./caseTable.ts";
import { deploymentsFolder } from "./chainOptions.ts";
import { isIncomeFile, reportIncome } from "./incomeReport.ts";
import { jsonText, type Terminal } from "./terminal.ts";
import { isoTime, type ReportStep, stepsText, verdictTexts } from "./verifyReport.ts";

interface Values {
  rpc?: string | undefined;
  contract?: string | undefined;
  deployments?: string | undefined;
  from?: string | undefined;
  next?: string[] | undefined;
  json?: true | undefined;
}

/** The steps of one file, or of two files that follow each other. */
interface Check {
  of: "proof" | "batch" | "income" | "following";
  steps: ReportStep[];
}

const ANSWER_WITHIN_MS = 60_000;
/** A node that does not answer is asked once more, so that the command does not wait for minutes. */
const patience = { timeout: 15_000, retryCount: 1 };
const exitCodes = { pass: 0, fail: 1, unknown: 3 } as const;

/** Where the batch was anchored, according to the file. */
interface Place {
  chainId: number;
  contract: string;
  shortId: string;
  number: number;
}

/**
 * `aqua verify`: checks a reading's proof, a wallet's income of a month, or a batch file. Returns 0 if all passed, 1 if a step failed, 2 for wrong
 * use, 3 if not all could be checked.
 */
export async function runVerify(words: readonly string[], values: Values, terminal: Terminal): Promise<number> {
  try {
    return await verify(values, words, terminal);
  } catch (error) {
    // Exit code 1 is reserved for a failed step.
    throw error instanceof DeployError ? new UsageError(error.message) : error;
  }
}

async function verify(values: Values, positionals: readonly string[], terminal: Terminal): Promise<number> {
  const say = values.json ? () => {} : terminal.out;
  const requested = values.from === undefined ? undefined : requestedReading(positionals);
  const file =
    values.from === undefined || requested === undefined
      ? await fileOf(positionals)
      : await downloaded(values.from, requested);
  const head = jsonOf(firstLine(file));
  const isBatch = isBatchHeader(head) || positionals.at(-1)?.endsWith(".ndjson") === true;
  const proof = isBatch ? undefined : jsonOf(file);
  if (values.next !== undefined && !isBatch) throw new UsageError("--next is for batch files");
  const place = isBatch ? placeOfBatch(head) : (placeOfProof(proof) ?? placeOfIncome(proof));
  const { contract, registry, whence, since } = await contractOf(values, place, terminal);
  const client = values.rpc === undefined ? null : await clientOf(values.rpc, place);
  const chain = client && (await readerOf({ client, place, contract, since }));
  if (isIncomeFile(proof)) {
    const reads = client && chain && { ...incomeReads(client, registry), ...chain };
    const { steps, text } = await reportIncome(proof, reads);
    say(text);
    const checks: Check[] = [{ of: "income", steps }];
    const isSure = !(reads && registry === null && place !== null);
    if (!isSure) {
      say("\nThe registry of products is named only by the file: --deployments has the one that you trust.\n");
    }
    return conclude({ checks, isSure, chain, trusted: { contract, whence, place }, json: values.json }, terminal);
  }

  const judged = isBatch
    ? await stepsOfBatch(file, chain)
    : await led({
        steps: await verifyProof(proof, chain, requested),
        chain,
        place,
        judge: (later) => verifyProof(withLater(proof as ReadingProof, later), chain, requested),
      });
  const steps: ReportStep[] = isReadingProof(proof) && client ? await withTime(judged, client, proof) : judged;
  const checks: Check[] = [{ of: isBatch ? "batch" : "proof", steps }];
  say(subjectText(head, proof));
  say(stepsText(isBatch ? "batch" : "proof", steps));
  const lastReadings = new Map<string, LastReading>();
  let before = file;
  for (const path of values.next ?? []) {
    const next = await fileOf([path]);
    const own = await stepsOfBatch(next, chain);
    const following = verifyFollowing(before, next, lastReadings);
    say(`\n${subjectText(jsonOf(firstLine(next)), undefined)}${stepsText("batch", own)}`);
    say(`\n${stepsText("following", following)}`);
    checks.push({ of: "batch", steps: own }, { of: "following", steps: following });
    before = next;
  }
  const about = isBatch ? "" : "The block, time and transaction of its anchoring are only stated by the proof.\n";
  return conclude(
    { checks, isSure: true, chain, trusted: { contract, whence, place }, about, json: values.json },
    terminal,
  );
}

/** Prints what the result rests on, and the verdict. Returns the exit code. */
function conclude(
  {
    checks,
    isSure,
    chain,
    trusted: { contract, whence, place },
    about = "",
    json,
  }: {
    checks: readonly Check[];
    /** False if something that no step covers rests on the file alone. */
    isSure: boolean;
    chain: Reader | null;
    trusted: { contract: string | null; whence: string; place: Place | null };
    /** What is only stated if the chain was not queried. */
    about?: string;
    json: true | undefined;
  },
  terminal: Terminal,
): number {
  // The author of a forged file can also deploy a contract that agrees with it.
  const isNamedByFile = chain !== null && contract === null && place !== null;
  const states: Pick<Step<string>, "state">[] = checks.flatMap(({ steps }) => steps);
  const verdict = verdictOf(isSure && !isNamedByFile ? states : [...states, { state: "unknown" }]);
  if (json) {
    const trusted = contract === null ? null : { contract, by: whence };
    terminal.out(jsonText({ verdict, chain_queried: chain !== null, trusted, checks }));
    return exitCodes[verdict];
  }
  if (chain === null) terminal.out(`\nThe chain was not queried: --rpc names a node of it.\n${about}`);
  else if (contract !== null) terminal.out(`\nThe contract is ${contract}, by ${whence}.\n`);
  else if (isNamedByFile) {
    terminal.out(
      `\nThe contract ${place.contract} is named only by the file and was not verified. --contract names the one that you trust.\n`,
    );
  }
  terminal.out(`${verdictTexts[verdict]}\n`);
  return exitCodes[verdict];
}

const stepsOfBatch = async (file: Uint8Array, chain: Reader | null) =>
  led({
    steps: await verifyBatchFile(file, { chain }),
    chain,
    place: placeOfBatch(jsonOf(firstLine(file))),
    judge: (later) => verifyAnchoring(file, chain, { later }),
  });

/**
 * A file from before the stream's last batch is linked to it by the contract's events since then: some steps run again.
 */
async function led({
  steps,
  chain,
  place,
  judge,
}: {
  steps: Step<string>[];
  chain: Reader | null;
  place: Place | null;
  judge: (later: readonly string[]) => Promise<Step<string>[]>;
}): Promise<Step<string>[]> {
  if (chain === null || place === null || !steps.some(({ reason }) => reason === "stale")) return steps;
  const later = await chain.digestsAfter(place).catch(() => null);
  if (later === null) return steps;
  const anew = await judge(later);
  return steps.map((step) => anew.find((one) => one.step === step.step) ?? step);
}

/** The step `time` passed by the proof's own values, which no digest holds: the chain decides. */
const withTime = (steps: readonly Step<string>[], client: PublicClient, { batch }: ReadingProof) =>
  Promise.all(steps.map((step) => (step.step === "time" && step.state === "pass" ? timeOnChain(client, batch) : step)));

const withLater = (proof: ReadingProof, later: readonly string[]) => ({ ...proof, batch: { ...proof.batch, later } });

/** Names the checked data by its content: a server may have sent another file than the requested one. */
function subjectText(head: unknown, proof: unknown): string {
  if (isBatchHeader(head)) return `Batch ${head.number} of ${head.short_id}, ${head.count} readings\n\n`;
  if (!isReadingProof(proof)) return "";
  const { device, seq, time, metric, value, exponent } = proof.reading;
  return `Reading ${seq} of ${device}: ${metric} ${value} × 10^${exponent} at ${isoTime(time)}\n\n`;
}

function placeOfBatch(header: unknown): Place | null {
  if (!isBatchHeader(header)) return null;
  return { chainId: header.chain_id, contract: header.contract, shortId: header.short_id, number: header.number };
}

function placeOfProof(proof: unknown): Place | null {
  if (!isReadingProof(proof)) return null;
  const { chain_id, contract, short_id, number } = proof.batch;
  return { chainId: chain_id, contract, shortId: short_id, number };
}

/** The batches of an income proof are in several streams. The first one stands for the chain and the contract. */
function placeOfIncome(proof: unknown): Place | null {
  if (!isIncomeProof(proof)) return null;
  const { chain_id: chainId, products } = proof;
  const [first] = products;
  return first ? { chainId, contract: first.telemetry ?? first.contract, shortId: first.short_id, number: 0 } : null;
}

/** Returns the contract to trust; null when only the file names one. */
async function contractOf(
  values: Values,
  place: Place | null,
  { environment }: Terminal,
): Promise<{ contract: string | null; registry: Address | null; whence: string; since: bigint }> {
  if (values.contract !== undefined) {
    if (!isAddress(values.contract, { strict: false })) throw new UsageError("--contract must be an address");
    // Viem refuses a mixed-case address with a wrong checksum.
    return { contract: getAddress(values.contract.toLowerCase()), registry: null, whence: "--contract", since: 0n };
  }
  const folder = deploymentsFolder(values.deployments, environment);
  const found = place && (await readDeployment(folder, place.chainId));
  const whence = `${folder}/${place?.chainId}.json`;
  const registry = found ? getAddress(found.product_registry.toLowerCase()) : null;
  return { contract: found?.telemetry_anchor ?? null, registry, whence, since: BigInt(found?.start_block ?? 0) };
}

async function clientOf(url: string, place: Place | null): Promise<PublicClient> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError("--rpc must be the URL of a node of the chain");
  }
  const client = createPublicClient({ transport: http(url, patience), cacheTime: 0 });
  const chainId = await client.getChainId().catch(() => {
    throw new UsageError("the node at --rpc does not answer");
  });
  if (place !== null && chainId !== place.chainId) {
    throw new UsageError(`the node at --rpc serves chain ${chainId}, but the file is for chain ${place.chainId}`);
  }
  return client;
}

interface Reader extends ChainReader {
  /** Returns the digests of the later batches, in order. Throws when the node does not answer. */
  digestsAfter(place: Place): Promise<string[]>;
}

/** Reads everything at one block, so that a batch anchored meanwhile changes nothing. */
async function readerOf({
  client,
  place,
  contract,
  since,
}: {
  client: PublicClient;
  place: Place | null;
  contract: string | null;
  since: bigint;
}): Promise<Reader> {
  const blockNumber = await client.getBlockNumber().catch(() => {
    throw new UsageError("the node at --rpc does not answer");
  });
  const eventsOf = (address: Address, stream: Hex) =>
    inSpans(since, blockNumber, (fromBlock, toBlock) =>
      client.getContractEvents({
        address,
        abi: telemetryAnchorAbi,
        eventName: "Anchored",
        args: { stream },
        fromBlock,
        toBlock,
        strict: true,
      }),
    );
  // The files of a run belong to one stream, so its events are fetched once.
  const fetched = new Map<string, ReturnType<typeof eventsOf>>();
  return {
    ...(contract === null ? {} : { contract }),
    ...(place === null ? {} : { chainId: place.chainId }),
    // A file may write its contract in any case; viem accepts only the checksum's.
    call: async (to, data) => (await client.call({ to: getAddress(to.toLowerCase()), data, blockNumber })).data ?? "0x",
    async digestsAfter({ contract: named, shortId, number }) {
      const stream = nameHex(shortId);
      const address = getAddress((contract ?? named).toLowerCase());
      const events = fetched.get(`${address} ${stream}`) ?? eventsOf(address, stream);
      fetched.set(`${address} ${stream}`, events);
      return (await events)
        .filter(({ args }) => args.batch > BigInt(number))
        .map(({ args: { batch, root, from, to, count, dataHash } }) =>
          batchDigest({ stream, number: Number(batch), root, from: Number(from), to: Number(to), count, dataHash }),
        );
    },
  };
}

async function fileOf([path, ...others]: readonly string[]): Promise<Uint8Array> {
  if (path === undefined) throw new UsageError("verify needs a file, or --from SERVER DEVICE NUMBER");
  if (others.length > 0) throw new UsageError("one file at a time");
  return await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read: ${error.code}`);
  });
}

interface Asked {
  device: string;
  seq: number;
}
const misnamed = () =>
  new UsageError("--from takes the server's URL, and then the device's name and the reading's number");

function requestedReading([device = "", number = "", ...others]: readonly string[]): Asked {
  const seq = Number(number);
  if (device === "" || !/^[1-9]\d*$/.test(number) || !Number.isSafeInteger(seq) || others.length > 0) throw misnamed();
  return { device, seq };
}

/** Downloads the proof of a reading from a server. */
async function downloaded(server: string, { device, seq }: Asked): Promise<Uint8Array> {
  if (!URL.canParse(server)) throw misnamed();
  const path = `/api/v2/transparency/proof/${encodeURIComponent(device)}/${seq}`;
  const response = await fetch(new URL(path, server), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).catch(() => {
    throw new UsageError(`${server} does not answer`);
  });
  const body = (await response.json().catch(() => null)) as { data?: unknown; message?: unknown } | null;
  if (!response.ok || !body?.data) {
    // Text of unknown origin: control characters in a terminal could pass for a verdict of ours.
    const said = typeof body?.message === "string" ? `: ${shown(body.message).slice(0, 200)}` : "";
    throw new UsageError(`${server} answered ${response.status}${said}`);
  }
  return new TextEncoder().encode(JSON.stringify(body.data));
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const newline = 10;
const firstLine = (bytes: Uint8Array) => bytes.subarray(0, Math.max(bytes.indexOf(newline), 0));
