import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import type { ReadingProof, SignedReading } from "@aqua/sdk/api/telemetry";
import { writeBatchFile } from "@aqua/sdk/proofs/batch";
import { nameHex, readingOf, toHex } from "@aqua/sdk/proofs/reading";
import { type Address, encodeEventTopics, encodeFunctionData, type Hex, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  type Batch,
  batchOf,
  hashOf,
  proofOf,
  readingsOf,
  signReading,
  start,
  world,
} from "../../../packages/sdk/test/proofs/world.ts";
import { run } from "../src/run.ts";
import { type Anvil, sendAs, startAnvil } from "./support/anvil.ts";
import { account, validConfig } from "./support/config.ts";
import { deployed } from "./support/deployed.ts";

const CHAIN = 4243;
const DAY = 86_400;
const ANCHORER = account(6);
const REGISTRAR = account(7);
const deployer = privateKeyToAccount(`0x${"42".repeat(32)}`);
const { makers } = world();
const [dam, pump, simulator] = makers;

const [anchoredTopic] = encodeEventTopics({ abi: telemetryAnchorAbi, eventName: "Anchored" });

let chain: Anvil;
let folder: string;
let contract: Address;
let one: Batch;
let two: Batch;
let three: Batch;

type Call = Parameters<typeof encodeFunctionData<typeof telemetryAnchorAbi>>[0];

async function send(from: Address, functionName: string, args: readonly unknown[]): Promise<void> {
  const data = encodeFunctionData({ abi: telemetryAnchorAbi, functionName, args } as Call);
  await sendAs(chain, from, contract, data);
}

async function anchor({ figures: { stream, root, from, to, count, dataHash } }: Batch): Promise<void> {
  await chain.rpc("evm_setNextBlockTimestamp", [numberToHex(to)]);
  await send(ANCHORER, "anchor", [stream, root, BigInt(from), BigInt(to), count, dataHash]);
}

async function saved(name: string, content: object | Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content instanceof Uint8Array ? content : JSON.stringify(content, null, 2));
  return file;
}

/** A proof as a server returns it, with the block and the transaction that anchored its batch. */
async function anchoredProof(...[batch, index, key]: Parameters<typeof proofOf>): Promise<ReadingProof> {
  const proof = proofOf(batch, index, key);
  const number = numberToHex(batch.header.number, { size: 32 });
  const [event] = await chain.rpc<{ blockNumber: Hex; transactionHash: Hex }[]>("eth_getLogs", [
    { address: contract, fromBlock: "0x0", topics: [anchoredTopic, nameHex("sahel-solar"), number] },
  ]);
  if (event === undefined) throw new Error("not anchored");
  const { timestamp } = await chain.rpc<{ timestamp: Hex }>("eth_getBlockByNumber", [event.blockNumber, false]);
  const place = {
    block: Number(event.blockNumber),
    block_time: Number(timestamp) * 1_000,
    hash: event.transactionHash,
  };
  return { ...proof, batch: { ...proof.batch, ...place } };
}

const forwarded = (body: string) => ({ method: "POST", headers: { "content-type": "application/json" }, body });

/** Runs `aqua verify`. Returns the exit code and the output. */
async function verify(...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const code = await run(["verify", ...args], { environment: { DEPLOYMENTS_DIR: folder }, out: write, error: write });
  return { code, text };
}
const onChain = (file: string, ...more: string[]) => verify(file, "--rpc", chain.url, ...more);
const failed = (text: string) => text.split("\n").filter((line) => line.startsWith("FAIL"));

beforeAll(async () => {
  chain = await startAnvil(CHAIN, start - 2 * DAY);
  folder = await mkdtemp(join(tmpdir(), "aqua-verify-"));
  await chain.rpc("anvil_setBalance", [deployer.address, "0xde0b6b3a7640000"]);
  const content = { ...validConfig(CHAIN), products: [] };
  contract = (await deployed(chain, { folder, deployer, content })).telemetry_anchor as Address;
  for (const { name, key } of [dam, pump]) {
    await send(REGISTRAR, "registerP256Key", [nameHex(name), key.x as Hex, key.y as Hex, BigInt(key.valid_from)]);
  }
  const signer = `0x${simulator.key.x.slice(26)}`;
  await send(REGISTRAR, "registerSecp256k1Key", [nameHex(simulator.name), signer, BigInt(simulator.key.valid_from)]);

  const place = { chain_id: CHAIN, contract };
  one = batchOf(readingsOf(makers, 1, 5), null, start, start + 400, place);
  two = batchOf(readingsOf(makers, 6, 9), one, start + 401, start + 900, place);
  three = batchOf(readingsOf([pump], 30, 31), two, start + 901, start + 2_000, place);
  await anchor(one);
  await anchor(two);
  await send(REGISTRAR, "revokeKey", [nameHex(pump.name)]);
  await anchor(three);
});
afterAll(async () => {
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("aqua verify accepts a proof of either kind of key after later batches and after a later revocation", async () => {
  for (const [index, { key }] of [[6, pump] as const, [11, simulator] as const]) {
    const { code, text } = await onChain(await saved("proof.json", await anchoredProof(one, index, key)));
    expect(text).toContain("Everything is right.");
    expect(text).toContain(`The contract is ${contract}, by ${folder}/${CHAIN}.json.`);
    expect(text.match(/^pass {2}/gm)).toHaveLength(8);
    expect(code).toBe(0);
  }
});

it("aqua verify --json prints the verdict, what it rests on, and each step", async () => {
  const good = await anchoredProof(one, 6, pump.key);
  const right = await onChain(await saved("proof.json", good), "--json");
  expect(JSON.parse(right.text)).toMatchObject({
    ...{ verdict: "pass", chain_queried: true, trusted: { contract, by: `${folder}/${CHAIN}.json` } },
    checks: [{ of: "proof", steps: expect.arrayContaining([expect.objectContaining({ step: "key", state: "pass" })]) }],
  });
  const offline = await verify(await saved("proof.json", good), "--json");
  expect([offline.code, JSON.parse(offline.text)]).toEqual([
    3,
    expect.objectContaining({ verdict: "unknown", chain_queried: false }),
  ]);
  const reading = { ...good.reading, value: "9999999" };
  const wrong = await onChain(await saved("wrong.json", { ...good, reading }), "--json");
  const [check] = JSON.parse(wrong.text).checks;
  expect([wrong.code, check.steps.find(({ state }: { state: string }) => state === "fail")]).toMatchObject([
    1,
    { step: "signature", reason: "signature" },
  ]);
});

it("aqua verify rejects a tampered reading, a swapped leaf and a foreign root, each at its step", async () => {
  const good = await anchoredProof(one, 6, pump.key);
  const other = proofOf(one, 7, pump.key);
  const cases: [ReadingProof, RegExp][] = [
    [{ ...good, reading: { ...good.reading, value: "9999999" } }, /^FAIL {2}signature/],
    [{ ...good, leaf: other.leaf, proof: other.proof }, /^FAIL {2}leaf/],
    [{ ...good, batch: { ...good.batch, root: `0x${"ab".repeat(32)}` } }, /^FAIL {2}path/],
  ];
  for (const [proof, first] of cases) {
    const { code, text } = await onChain(await saved("wrong.json", proof));
    expect(failed(text)[0]).toMatch(first);
    expect(text).toContain("NOT RIGHT.");
    expect(code).toBe(1);
  }
});

it("aqua verify rejects a reading signed after its key was revoked, in a proof and in a batch file", async () => {
  const { code, text } = await onChain(await saved("revoked.json", await anchoredProof(three, 0, pump.key)));
  expect(failed(text)).toEqual([expect.stringMatching(/^FAIL {2}key .*revoked/)]);
  expect(code).toBe(1);
  const file = await onChain(await saved("three.ndjson", three.file));
  expect(failed(file.text)).toEqual([expect.stringMatching(/^FAIL {2}key +line 2: /)]);
  expect(file.code).toBe(1);
});

it("aqua verify lists the checks that need a chain, and exits with code 3", async () => {
  const { code, text } = await verify(await saved("proof.json", proofOf(one, 6, pump.key)));
  expect(text).toMatch(/^\? {5}key +only the chain can answer this$/m);
  expect(text).toMatch(/^pass {2}signature/m);
  expect(text).toContain("The chain was not queried");
  expect(code).toBe(3);
});

it("aqua verify reads the time of anchoring from the transaction on chain, and rejects a proof that names another time", async () => {
  const good = await anchoredProof(one, 6, pump.key);
  const right = await onChain(await saved("proof.json", good));
  const time = new Date(good.batch.block_time).toISOString();
  expect(right.text).toMatch(
    new RegExp(`^pass {2}time .*anchored at ${time} in block ${good.batch.block} by the chain$`, "m"),
  );
  expect(right.code).toBe(0);
  const elsewhere = (await anchoredProof(two, 0, dam.key)).batch;
  const cases: [Partial<ReadingProof["batch"]>, RegExp][] = [
    [{ block_time: good.batch.block_time + 1_000 }, /^FAIL {2}time .*its block or its time is not/],
    [{ block: good.batch.block + 1 }, /^FAIL {2}time .*its block or its time is not/],
    [
      { hash: elsewhere.hash, block: elsewhere.block, block_time: elsewhere.block_time },
      /^FAIL {2}time .*did not anchor/,
    ],
  ];
  for (const [change, line] of cases) {
    const { code, text } = await onChain(await saved("time.json", { ...good, batch: { ...good.batch, ...change } }));
    expect(failed(text)).toEqual([expect.stringMatching(line)]);
    expect(code).toBe(1);
  }
});

it("aqua verify reports the time of anchoring as unknown if the node does not know the transaction, or without a node", async () => {
  const good = await anchoredProof(one, 6, pump.key);
  const unknown = { ...good, batch: { ...good.batch, hash: `0x${"77".repeat(32)}` } };
  const { code, text } = await onChain(await saved("unknown.json", unknown));
  expect(text).toMatch(/^\? {5}time +the node does not know the transaction/m);
  expect(code).toBe(3);
  const alone = await verify(await saved("proof.json", good));
  expect(alone.text).toMatch(/^pass {2}time +measured before its batch was closed$/m);
  expect(alone.text).toContain("block, time and transaction of its anchoring are only stated by the proof");
});

it("aqua verify accepts a batch file and the next one", async () => {
  const file = await saved("one.ndjson", one.file);
  const { code, text } = await onChain(file, "--next", await saved("two.ndjson", two.file));
  expect(text.match(/^Batch (1|2) of sahel-solar/gm)).toHaveLength(2);
  expect(text.match(/^pass {2}/gm)).toHaveLength(8 + 8 + 3);
  expect(text).toContain("Everything is right.");
  expect(code).toBe(0);
  const turned = await onChain(join(folder, "two.ndjson"), "--next", file);
  expect(failed(turned.text)[0]).toMatch(/^FAIL {2}batch .*not the batch after/);
  expect(turned.code).toBe(1);
});

it("aqua verify rejects a forged batch file after a genuine one, by the same checks", async () => {
  const file = await saved("one.ndjson", one.file);
  const signature = `0x${"11".repeat(64)}`;
  const readings = two.readings.map((reading) => (reading.device === pump.name ? { ...reading, signature } : reading));
  const forged = batchOf(readings, one, start + 401, start + 900, { chain_id: CHAIN, contract });
  const { code, text } = await onChain(file, "--next", await saved("forged.ndjson", forged.file));
  expect(failed(text)).toEqual([
    expect.stringMatching(/^FAIL {2}signature +line 6: /),
    expect.stringMatching(/^FAIL {2}anchored /),
  ]);
  expect(text).toContain("NOT RIGHT.");
  expect(code).toBe(1);
  const none = await onChain(file, "--next", await saved("none.ndjson", new TextEncoder().encode("{}\n")));
  expect(failed(none.text)[0]).toMatch(/^FAIL {2}form /);
  expect(none.code).toBe(1);
});

it("aqua verify follows each device through a run of batch files, even across a file without its readings", async () => {
  const place = { chain_id: CHAIN, contract };
  const first = batchOf(readingsOf([dam, pump], 1, 5), null, start, start + 400, place);
  const second = batchOf(readingsOf([dam], 6, 9), first, start + 401, start + 900, place);
  const third = batchOf(
    [...readingsOf([dam], 10, 12), ...readingsOf([pump], 10, 12)],
    second,
    start + 901,
    start + 1_300,
    place,
  );
  const names = ["first", "second", "third"] as const;
  const [a, b, c] = await Promise.all(
    [first, second, third].map(({ file }, index) => saved(`run-${names[index]}.ndjson`, file)),
  );
  const run = await verify(a as string, "--next", b as string, "--next", c as string);
  expect(failed(run.text)).toEqual([expect.stringMatching(/^FAIL {2}chain +line 5: does not name the reading before/)]);
  expect(run.code).toBe(1);
  const pair = await verify(b as string, "--next", c as string);
  expect(pair.text).toMatch(/^\? {5}chain +line 5: pump-1: the reading before it is in none of the files/m);
  expect(pair.code).toBe(3);
});

it("aqua verify reports how many numbers a device skipped", async () => {
  const { text } = await verify(await saved("three.ndjson", three.file));
  expect(text).not.toContain("passed over");
  const [one, two] = readingsOf([pump], 1, 2) as [SignedReading, SignedReading];
  const prev = toHex(hashOf(two));
  const far = signReading(pump, { ...readingOf(two), seq: 500, time: two.time + 1_000, prev });
  const jump = batchOf([one, two, far], null, start, start + 400, { chain_id: CHAIN, contract });
  const { text: said } = await verify(await saved("jump.ndjson", jump.file));
  expect(said).toMatch(/^pass {2}chain .*; numbers that devices skipped: 497$/m);
});

it("aqua verify finds the altered line of a batch file, and that the file is not the anchored one", async () => {
  const readings = one.readings.map((reading, index) => (index === 6 ? { ...reading, value: "1" } : reading));
  const altered = await onChain(await saved("altered.ndjson", writeBatchFile(one.header, readings)));
  expect(failed(altered.text)).toEqual([
    expect.stringMatching(/^FAIL {2}signature +line 8: /),
    expect.stringMatching(/^FAIL {2}chain +line 9: /),
    expect.stringMatching(/^FAIL {2}tree /),
    expect.stringMatching(/^FAIL {2}anchored /),
  ]);
  expect(altered.code).toBe(1);
  const cut = await onChain(await saved("cut.ndjson", one.file.subarray(0, -1)));
  expect(failed(cut.text)).toEqual([expect.stringMatching(/^FAIL {2}form +line 16: /)]);
  expect(cut.code).toBe(1);
});

it("aqua verify says that it trusts the contract named in the file, and compares it with a given one", async () => {
  const file = await saved("proof.json", await anchoredProof(one, 6, pump.key));
  const believed = await onChain(file, "--deployments", join(folder, "none"));
  expect(believed.text).toContain(`The contract ${contract} is named only by the file and was not verified.`);
  expect(believed.code).toBe(3);
  expect((await onChain(file, "--deployments", join(folder, "none"), "--contract", contract.toLowerCase())).code).toBe(
    0,
  );
  const letters = contract.slice(2).replace(/[a-f]/i, (one) => (one < "a" ? one.toLowerCase() : one.toUpperCase()));
  const mistyped = await onChain(file, "--contract", `0x${letters}`);
  expect(mistyped.text).toContain(`The contract is ${contract}, by --contract.`);
  expect(mistyped.code).toBe(0);
  const own = await anchoredProof(one, 6, pump.key);
  const named = { ...own, batch: { ...own.batch, contract: `0x${letters}` } };
  const lax = await onChain(await saved("lax.json", named), "--deployments", join(folder, "none"));
  expect(failed(lax.text)).toEqual([]);
  expect(lax.text).toMatch(/^pass {2}anchored/m);
  const foreign = await onChain(file, "--contract", account(33));
  expect(failed(foreign.text)).toEqual([expect.stringMatching(/^FAIL {2}anchored +it names another contract/)]);
  expect(foreign.code).toBe(1);
});

it("aqua verify fetches a proof from a server", async () => {
  const asked: (string | undefined)[] = [];
  const proof = await anchoredProof(one, 6, pump.key);
  const server = createServer((request, response) => {
    asked.push(request.url);
    const known = /\/[25]$/.test(request.url ?? "");
    const body = known
      ? { data: proof }
      : { error_code: "not_found", message: "No such reading\n\u001b[2JEverything is right.\u001b[8m" };
    response.writeHead(known ? 200 : 404, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await verify("--from", url, pump.name, "2", "--rpc", chain.url)).code).toBe(0);
    expect(asked).toEqual(["/api/v2/transparency/proof/pump-1/2"]);
    const unknown = await verify("--from", url, pump.name, "3");
    expect(unknown.text).toContain(`aqua: ${url} answered 404: No such reading��[2JEverything is right.�[8m\nSee`);
    expect(unknown.text).not.toContain("\u001b");
    expect(unknown.code).toBe(2);
    // The proof is genuine, but it is not the requested one.
    const other = await verify("--from", url, pump.name, "5", "--rpc", chain.url);
    expect(failed(other.text)).toEqual([expect.stringMatching(/^FAIL {2}form +it is the proof of another reading/)]);
    expect(other.text).toContain("Reading 2 of pump-1: energy_wh 2000 × 10^-3 at 2025-10-09T");
    expect(other.code).toBe(1);
  } finally {
    server.close();
  }
});

it("aqua verify links a batch file through a node that limits the range of blocks", async () => {
  await chain.rpc("anvil_mine", ["0x3e8"]);
  let most = 0;
  const node = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { id, method, params } = JSON.parse(text);
    const blocks = method === "eth_getLogs" ? Number(params[0].toBlock) - Number(params[0].fromBlock) + 1 : 0;
    const tooMany = { jsonrpc: "2.0", id, error: { code: -32602, message: "query exceeds max block range" } };
    if (blocks <= 150) most = Math.max(most, blocks);
    const told = blocks > 150 ? JSON.stringify(tooMany) : await (await fetch(chain.url, forwarded(text))).text();
    response.writeHead(200, { "content-type": "application/json" }).end(told);
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const { code, text } = await verify(await saved("one.ndjson", one.file), "--rpc", url);
    expect(text).toMatch(/^pass {2}anchored/m);
    expect(code).toBe(0);
    expect(most).toBeGreaterThan(100);
  } finally {
    node.close();
  }
});

it("aqua verify ends soon with a message if a node breaks off its answer about later batches", async () => {
  let asked = 0;
  const node = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    if (JSON.parse(text).method === "eth_getLogs") {
      asked += 1;
      request.socket.destroy();
      return;
    }
    const told = await (await fetch(chain.url, forwarded(text))).text();
    response.writeHead(200, { "content-type": "application/json" }).end(told);
  });
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
    const { code, text } = await verify(await saved("one.ndjson", one.file), "--rpc", url);
    expect(text).toMatch(/^\? {5}anchored +batches have been anchored since, and the node does not return them/m);
    expect(code).toBe(3);
    expect(asked).toBe(2);
  } finally {
    node.close();
  }
});

it("aqua verify treats any other file as a malformed proof", async () => {
  for (const content of [new Uint8Array(), new TextEncoder().encode("{"), new TextEncoder().encode("[]\n")]) {
    const { code, text } = await onChain(await saved("strange", content));
    expect(failed(text)).toEqual([expect.stringMatching(/^FAIL {2}form /)]);
    expect(code).toBe(1);
  }
});

it("aqua verify prints its help, and exits with code 2 for an invalid command line", async () => {
  expect(await verify("--help")).toMatchObject({ code: 0, text: expect.stringContaining("Usage: aqua verify FILE") });
  const file = await saved("proof.json", proofOf(one, 6, pump.key));
  const none = await startAnvil(1);
  try {
    const cases: [string, string[]][] = [
      ["verify needs a file, or --from SERVER DEVICE NUMBER", []],
      ["cannot be read: ENOENT", [join(folder, "nothing.json")]],
      ["one file at a time", [file, file]],
      ["--rpc must be the URL", [file, "--rpc", "localhost"]],
      ["does not answer", [file, "--rpc", "http://127.0.0.1:1"]],
      [`serves chain 1, but the file is for chain ${CHAIN}`, [file, "--rpc", none.url]],
      ["--contract must be an address", [file, "--contract", "0x12"]],
      ["--next is for batch files", [file, "--next", file]],
      ["--from takes the server's URL", ["--from", "nowhere", "pump-1", "2"]],
      ["unknown option '--colour'", [file, "--colour"]],
    ];
    for (const [why, args] of cases) {
      expect(await verify(...args)).toMatchObject({ code: 2, text: expect.stringContaining(why) });
    }
  } finally {
    await none.stop();
  }
});
