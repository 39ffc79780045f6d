import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { BatchHeader } from "@aqua/sdk/api/telemetry";
import { dataHashOf, writeBatchFile } from "@aqua/sdk/proofs/batch";
import { publicKeyOf, signCheckpoint, toBase64, verifierKey } from "@aqua/sdk/proofs/log/checkpoint";
import {
  actCommitment,
  type LogEntry,
  type LogKind,
  type OperatorAct,
  operatorAct,
  writeEntry,
} from "@aqua/sdk/proofs/log/entry";
import { leafHash, parseTilePath, rootOfLeaves, writeBundle } from "@aqua/sdk/proofs/log/tree";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad, parseAbiParameters } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

export const ORIGIN = "aqua.example/log";
export const CHAIN = 4711;
const START = 1_760_000_000_000;
const SEED = new Uint8Array(32).fill(9);
export const logKey = verifierKey(ORIGIN, publicKeyOf(SEED));
export const foreignKey = verifierKey(ORIGIN, publicKeyOf(new Uint8Array(32).fill(8)));
export const operator = privateKeyToAccount(`0x${"21".repeat(32)}`);
export const stranger = privateKeyToAccount(`0x${"22".repeat(32)}`);

const registry = `0x${"a1".repeat(20)}` as const;
const manager = `0x${"a2".repeat(20)}` as const;
const anchor = `0x${"a3".repeat(20)}` as const;

type Content = LogEntry["content"];
export interface Change {
  kind: LogKind;
  subject: string;
  content: Content;
  /** The call and the body of an operator's act. */
  act?: { call: string; body: unknown; by?: PrivateKeyAccount };
  reason?: string;
}

/** Entries of a log as the server writes them. */
export class LogWriter {
  readonly entries: LogEntry[] = [];

  /** Unix milliseconds of the first entry. Each further one is a second later. */
  constructor(private readonly start = START) {}

  async add({ kind, subject, content, act, reason }: Change): Promise<this> {
    const number = this.entries.length;
    const time = this.start + number * 1_000;
    const version = this.entries.filter((one) => one.kind === kind && one.subject === subject).length + 1;
    const id = `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
    const signed = act ? await signedAct({ ...act, time: time - 100, reason }) : null;
    this.entries.push({ id, time, kind, subject, version, content, act: signed, reason });
    return this;
  }
}

async function signedAct({
  call,
  body,
  by = operator,
  time,
  reason,
}: NonNullable<Change["act"]> & { time: number; reason: string | undefined }): Promise<OperatorAct> {
  const text = JSON.stringify(body);
  const nonce = pad(numberToHex(time));
  const commitment = actCommitment(nonce, text);
  const signature = await by.signTypedData(operatorAct({ site: ORIGIN, call, commitment, time, reason }));
  return { call, body: text, nonce, commitment, time, operator: by.address.toLowerCase(), signature };
}

const body = {
  name: "pump-1",
  short_id: "tide",
  metric: "volume",
  exponent: -2,
  place: "Quay 4",
  latitude: 53.5,
  longitude: 9.9,
  model: "M-1",
  trust: "software_key",
  min: "0",
  max: "1000.5",
  interval: 10_000,
};
const { name: _, ...public_ } = body;
export const device = {
  ...{ chain_id: CHAIN, ...public_, co_signer: null, min: "0", max: "100050", max_step: null },
  ...{ secret_hash: "00".repeat(32), create_time: START, retired_time: null as number | null },
};
const lossOf = (batch: number | null, name: string | null) => ({
  ...{ chain_id: CHAIN, short_id: "tide", batch, device: name, after_seq: name === null ? null : "41" },
});
const other = { ...device, secret_hash: "11".repeat(32) };

/** A log with every kind of entry. The third bundle is a part. */
export async function honestLog(): Promise<LogWriter> {
  const log = new LogWriter();
  await log.add({ kind: "device", subject: "meter-0", content: device });
  await log.add({ kind: "operators", subject: "operators", content: { keys: [operator.address.toLowerCase()] } });
  await log.add({
    ...{ kind: "device", subject: "pump-1", content: device },
    act: { call: "POST operator/devices", body },
  });
  await log.add({
    ...{ kind: "device", subject: "pump-1", content: other },
    act: { call: "POST operator/devices/pump-1/secret", body: {} },
  });
  const since = START - 5_000;
  await log.add({
    ...{ kind: "device_interval", subject: `pump-1 ${since}`, content: { interval: 60_000 } },
    act: { call: "POST operator/devices/pump-1/interval", body: { interval: 60_000, since } },
  });
  await log.add({
    ...{
      kind: "declared_loss",
      subject: "loss 1",
      content: { ...lossOf(3, null), reason: "The disk broke", time: START },
    },
    act: {
      call: "POST operator/batches/declare-lost",
      body: { short_id: "tide", number: 3, reason: " The disk broke " },
    },
  });
  await log.add({
    ...{
      kind: "declared_loss",
      subject: "loss 2",
      content: { ...lossOf(null, "pump-1"), reason: "Flood", time: START },
    },
    act: { call: "POST operator/devices/pump-1/declare-lost", body: { reason: "Flood" } },
  });
  await log.add({ kind: "product_document", subject: `0x${"0d".repeat(32)}`, content: { size: 4_096 } });
  await log.add({
    ...{ kind: "act", subject: "POST operator/jobs/retry", content: {} },
    act: { call: "POST operator/jobs/retry", body: {} },
  });
  for (let number = 0; number < 300; number += 1) {
    await log.add({ kind: "account", subject: "ab".repeat(32), content: { account: String(number) } });
  }
  await log.add({
    ...{ kind: "device", subject: "pump-1", content: { ...other, retired_time: START + 309_000 } },
    act: { call: "POST operator/devices/pump-1/retire", body: {} },
    reason: "Worn out",
  });
  return log;
}

export function rootOf(entries: readonly LogEntry[]): Uint8Array {
  return rootOfLeaves(entries.map((entry) => leafHash(writeEntry(entry))));
}

/** The checkpoint of a log's first entries as a batch names it. */
export function checkpointAt(log: LogWriter, size: number) {
  return { origin: ORIGIN, size, root: toBase64(rootOf(log.entries.slice(0, size))) };
}

interface Batch {
  number: number;
  log?: BatchHeader["log"];
}

/** What a server of a log serves. Each field may be a lie. */
export interface Served {
  entries: LogEntry[];
  /** Changes answers, by their paths under log/. Null: 404. */
  answers: Record<string, (honest: Uint8Array) => Uint8Array | null>;
  seed: Uint8Array;
  key: string;
  origin: string;
  batches: Batch[];
  /** Numbers of batches whose files are gone. */
  lost: number[];
  /** Changes the file of each batch, but not its hash on chain. */
  file(bytes: Uint8Array): Uint8Array;
}

export interface LogSite {
  url: string;
  rpcUrl: string;
  served: Served;
  honest(): void;
  close(): void;
}

/** A site that serves a log, and a node of a chain with the site's batches. Both are real HTTP servers. */
export async function openLogSite(log: LogWriter): Promise<LogSite> {
  const honest = (): Served => ({
    entries: structuredClone(log.entries),
    answers: {},
    seed: SEED,
    key: logKey,
    origin: ORIGIN,
    batches: [{ number: 1 }, { number: 2, log: checkpointAt(log, 8) }, { number: 3, log: checkpointAt(log, 290) }],
    lost: [],
    file: (bytes) => bytes,
  });
  const served = honest();
  const site = createServer((request, response) => {
    const path = (request.url ?? "").replace(/^\/api\/v2\//, "");
    const answer = answerOf(served, path);
    response.writeHead(answer === null ? 404 : 200).end(answer ?? "{}");
  });
  const node = createServer(async (request, response) => {
    const asked = (await json(request)) as Asked | Asked[];
    const answer = Array.isArray(asked) ? asked.map((one) => nodeAnswer(served, one)) : nodeAnswer(served, asked);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  const servers = [site, node];
  await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, "127.0.0.1", done))));
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: urlOf(site),
    rpcUrl: urlOf(node),
    served,
    honest: () => void Object.assign(served, honest()),
    close: () => {
      for (const server of servers) server.close();
    },
  };
}

function answerOf(served: Served, path: string): Uint8Array | string | null {
  if (path === "network") return JSON.stringify({ data: network });
  if (path === "transparency/summary") return JSON.stringify({ data: { contracts } });
  const [, number] = /^transparency\/anchors\/tide\/(\d+)$/.exec(path) ?? [];
  const batch = served.batches.find((one) => one.number === Number(number));
  if (batch !== undefined) return served.lost.includes(batch.number) ? null : served.file(fileOf(batch));
  const name = path.replace(/^log\//, "");
  const honest = name === path ? null : logAnswer(served, name);
  return honest === null ? null : (served.answers[name] ?? ((bytes) => bytes))(honest);
}

function logAnswer({ entries, seed, key, origin }: Served, name: string): Uint8Array | null {
  if (name === "key") return Buffer.from(`${key}\n`);
  if (name === "checkpoint") {
    return Buffer.from(signCheckpoint({ origin, size: entries.length, root: rootOf(entries) }, seed));
  }
  const tile = parseTilePath(name);
  if (tile === null) return null;
  const bytes = entries.map(writeEntry);
  const levels: Uint8Array[][] = [tile.level === "entries" ? bytes : bytes.map(leafHash)];
  for (let level = 1; level <= Number(tile.level); level += 1) {
    const below = levels[level - 1] as Uint8Array[];
    const full = Math.floor(below.length / 256);
    levels.push(Array.from({ length: full }, (_, n) => rootOfLeaves(below.slice(n * 256, (n + 1) * 256))));
  }
  const items = (levels.at(-1) as Uint8Array[]).slice(tile.n * 256, tile.n * 256 + tile.width);
  if (items.length !== tile.width) return null;
  return tile.level === "entries" ? writeBundle(items) : Buffer.concat(items);
}

const header = (number: number) => ({
  format: "aqua-batch-1" as const,
  ...{ chain_id: CHAIN, contract: anchor as string, short_id: "tide", number },
  ...{ previous_head: `0x${"00".repeat(32)}`, root: `0x${"01".repeat(32)}` },
  ...{ from: START / 1_000, to: START / 1_000 + 305 + number, count: 1 },
});
const reading = {
  ...{ device: "pump-1", seq: 1, time: START, metric: "volume", value: "1", exponent: -2 },
  ...{ prev: `0x${"00".repeat(32)}`, signature: `0x${"02".repeat(64)}` },
};
const fileOf = ({ number, log }: Batch) => writeBatchFile({ ...header(number), ...(log && { log }) }, [reading]);

const network = {
  version: "1",
  chains: [{ chain_id: CHAIN, identity_registry: `0x${"a4".repeat(20)}`, product_registry: registry, head: null }],
  ...{ node_chains: [], name_service: false, faucet: false, demo: false, walletconnect_project_id: null },
};
const contracts = [{ chain_id: CHAIN, role: "telemetry_anchor", address: anchor }];

interface Asked {
  id: number;
  method: string;
}

function nodeAnswer({ batches }: Served, { id, method }: Asked) {
  const results: Record<string, unknown> = {
    eth_chainId: numberToHex(CHAIN),
    eth_blockNumber: numberToHex(batches.length),
    eth_getCode: "0x01",
    // `authority` of the registry and of the anchor contract.
    eth_call: pad(manager),
    eth_getLogs: batches.map(anchoredLog),
  };
  return { jsonrpc: "2.0", id, result: results[method] };
}

function anchoredLog(batch: Batch, index: number) {
  const { root, from, to, count } = header(batch.number);
  const args = { stream: nameHex("tide"), batch: BigInt(batch.number), root: root as Hex };
  const dataHash = dataHashOf(fileOf(batch));
  const data = encodeAbiParameters(parseAbiParameters("uint64, uint64, uint32, bytes32, bytes32"), [
    ...([BigInt(from), BigInt(to), count, dataHash, pad("0x")] as const),
  ]);
  return {
    ...{ address: anchor, topics: encodeEventTopics({ abi: telemetryAnchorAbi, eventName: "Anchored", args }), data },
    ...{ blockNumber: numberToHex(index), transactionHash: pad("0x01"), transactionIndex: "0x0", removed: false },
    ...{ blockHash: pad("0x02"), logIndex: "0x0" },
  };
}
