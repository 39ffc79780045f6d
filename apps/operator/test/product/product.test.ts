import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { access, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { deployment } from "@aqua/sdk/deployment";
import { type Address, createPublicClient, type Hex, http, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { anvilBinary } from "../../../../devnet/src/binary.ts";
import { type Anvil, putToken, sendAs, startAnvil, through } from "../support/anvil.ts";
import { runAqua } from "../support/aqua.ts";
import {
  account,
  demandProduct,
  OWNER_DELAY,
  TOKEN,
  timeProduct,
  validConfig,
  writeConfig,
} from "../support/config.ts";

const CHAIN = 4242;
const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const [DEPLOYER, OWNER, GUARDIAN, STRANGER] = [keyOf("42"), keyOf("51"), keyOf("52"), keyOf("53")];
const owner = privateKeyToAccount(OWNER).address;
const guardian = privateKeyToAccount(GUARDIAN).address;
const stranger = privateKeyToAccount(STRANGER).address;

let chain: Anvil;
/** Each test begins with this snapshot: the registries, and in the second part the examples of two products. */
let state: Hex;
let folder: string;
let work: string;
/** Folder of the files of the listed products. */
let listed: string;

beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  folder = await mkdtemp(join(tmpdir(), "aqua-product-"));
  for (const address of [privateKeyToAccount(DEPLOYER).address, owner, guardian, stranger])
    await chain.rpc("anvil_setBalance", [address, "0xde0b6b3a7640000"]);
  await putToken(chain, TOKEN, "USDC");
  const { roles, ...config } = validConfig(CHAIN);
  const held = { ...roles, owner: { address: owner, delay_seconds: OWNER_DELAY }, guardian };
  const path = await writeConfig(folder, "config", { ...config, roles: held, products: [] });
  const args = ["deploy", "--config", path, "--rpc", chain.url, "--out", join(folder, "deployments"), "--send"];
  expect((await runAqua(args, { DEPLOYER_KEY: DEPLOYER })).error).toBe("");
  state = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await chain.rpc("evm_revert", [state]);
  state = await chain.rpc("evm_snapshot");
  work = await mkdtemp(join(folder, "work-"));
});

const fileOf = (shortId: string) => join(work, `${shortId}.yaml`);

/** Runs `aqua product`, by default with the owner's key. */
async function product(args: readonly string[], key: Hex | null = OWNER, settings: Record<string, string> = {}) {
  const [command = "", ...others] = args;
  const chainArgs =
    command === "init" || command === "document"
      ? []
      : ["--rpc", chain.url, "--deployments", join(folder, "deployments")];
  return runAqua(["product", command, ...others, ...chainArgs], {
    ANVIL: anvilBinary(),
    ...(key === null ? {} : { PRODUCT_KEY: key }),
    ...settings,
  });
}

async function change(shortId: string, ...changes: readonly (readonly [RegExp, string])[]): Promise<void> {
  let text = await readFile(fileOf(shortId), "utf8");
  for (const [from, to] of changes) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  await writeFile(fileOf(shortId), text);
}

/** Writes the example of a product for this chain. */
async function example(type: "demand" | "term", shortId: string): Promise<void> {
  const written = await product(["init", fileOf(shortId), "--type", type, "--chain", String(CHAIN)], null);
  expect([written.error, written.code]).toEqual(["", 0]);
  await change(
    shortId,
    [/^asset: .*$/m, `asset: { address: "${TOKEN}", symbol: USDC, decimals: 6 }`],
    [/^custodian: .*$/m, `custodian: "${account(20)}"`],
    ...(type === "demand" ? [[/^treasury: .*$/m, `treasury: "${account(21)}"`] as const] : []),
  );
}

async function done(args: readonly string[], key: Hex | null = OWNER): Promise<string> {
  const { code, out, error } = await product(args, key);
  expect([error, code]).toEqual(["", 0]);
  return out;
}

const passDelay = () => chain.rpc("evm_increaseTime", [OWNER_DELAY + 1]).then(() => chain.rpc("evm_mine"));

/** Creates the example of a product. */
async function create(type: "demand" | "term", shortId: string): Promise<void> {
  await example(type, shortId);
  await carryOut(shortId);
}

/** Brings the chain to what the file says, as the owner: schedules, waits and executes. */
async function carryOut(shortId: string): Promise<void> {
  await done(["apply", fileOf(shortId), "--send"]);
  await passDelay();
  expect(await done(["apply", fileOf(shortId), "--send"])).toContain("The chain is as wanted.");
}

const client = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const contracts = async () =>
  deployment.parse(JSON.parse(await readFile(join(folder, "deployments", `${CHAIN}.json`), "utf8")));
async function listing(shortId: string) {
  const address = (await contracts()).product_registry as Address;
  const read = { address, abi: productRegistryAbi, functionName: "productOf", args: [shortId] } as const;
  const [vault, , , state, hash] = await client().readContract(read);
  return { address: vault, state, hash };
}
const blocks = () => chain.rpc<Hex>("eth_blockNumber");

interface PlannedAct {
  what: string;
  state: string;
  changes: object[];
  by: string | null;
  schedule: { to: string; data: Hex } | null;
  transaction: { to: string; data: Hex };
}
const planned = async (shortId: string): Promise<PlannedAct[]> =>
  JSON.parse(await done(["plan", fileOf(shortId), "--json"], null)).acts;

describe("aqua product, of a product that is not on the chain", () => {
  it("plans a product that is not on the chain, and changes nothing", async () => {
    await example("demand", "sahel-solar");
    const before = await blocks();
    const text = await done(["plan", fileOf("sahel-solar")], null);
    expect(text).toMatch(
      /^Product {3}sahel-solar, demand deposit on chain 4242\nContract {2}0x\w{40}, not listed yet\n/,
    );
    expect(text).toMatch(/\n {2}1 {2}create the DemandVault of sahel-solar\n {5}by any account, which pays the gas\n/);
    expect(text).toContain(`list sahel-solar\n     by the owner ${owner}, 2 days after it is scheduled\n`);
    const acts = await planned("sahel-solar");
    expect(acts.map(({ what, state }) => `${state}: ${what}`)).toEqual([
      "send: create the DemandVault of sahel-solar",
      "send: create the RedemptionQueue of sahel-solar",
      ...[
        "name the queue of sahel-solar",
        "name the custodian of sahel-solar",
        "name the treasury of sahel-solar",
        "let the reporter report, renewEvidence",
        "let the confirmer confirmLoss, restore, takeBackLoss",
        "let the guardian pause",
        "let the treasurer deploy",
        "let the owner setCap, setMinDeposit, unpause, setQueue, setCustodian, setTreasury, setEvidence",
        "list sahel-solar",
      ].map((what) => `schedule: ${what}`),
    ]);
    expect(await blocks()).toBe(before);
  });

  it("creates a demand and a term deposit from their files by the owner's key, through its delay", async () => {
    await example("demand", "sahel-solar");
    await example("term", "delta-wind");
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      const first = await done(["apply", fileOf(shortId), "--send"]);
      expect(first).toMatch(/sending {2}create the /);
      expect(first).toContain(`sending  schedule: list ${shortId}\n`);
      expect(first).toMatch(new RegExp(`list ${shortId} +\\d{4}-.*Z until .*Z +${owner}\n`));
      const sent = JSON.parse(await done(["apply", fileOf(shortId), "--send", "--json"]));
      expect([sent.sent, sent.acts.map(({ state }: PlannedAct) => state)]).toEqual([[], sent.acts.map(() => "wait")]);
      // All is announced; there is nothing to send before the delay has passed.
      expect(await done(["apply", fileOf(shortId), "--send"])).toContain("0 transactions sent and mined.");
    }
    await passDelay();
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      expect(await done(["apply", fileOf(shortId), "--send"])).toContain("The chain is as wanted.");
      expect(await done(["plan", fileOf(shortId)], null)).toContain("There is nothing to do: the chain is so already.");
    }
    const vault = (await listing("sahel-solar")).address;
    const desk = await client().readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" });
    expect(desk).toMatchObject({
      custodian: account(20),
      buffer: 2n * 10n ** 17n,
      treasury: account(21),
      fee: 10n ** 17n,
    });
    const term = { address: (await listing("delta-wind")).address, abi: termDepositAbi } as const;
    expect(await client().readContract({ ...term, functionName: "termOf", args: [1n] })).toMatchObject({
      rate: 625n * 10n ** 14n,
      cap: 600_000_000_000n,
      open: true,
    });
  });

  it("writes what a Safe sends, and the Safe's transactions bring about what the file says", async () => {
    await example("demand", "sahel-solar");
    const outs = ["one.json", "two.json"].map((name) => join(work, name));
    for (const out of outs) {
      // The account that acts is found on the chain, without a key.
      expect(await done(["apply", fileOf("sahel-solar"), "--export", "safe", "--out", out], null)).toContain(
        `Written: ${out}, with`,
      );
      const batch = JSON.parse(await readFile(out, "utf8"));
      expect(batch).toMatchObject({ chainId: String(CHAIN), meta: { name: "Aqua: sahel-solar" } });
      for (const { to, data } of batch.transactions) await sendAs(chain, owner, to, data);
      await passDelay();
    }
    expect(await done(["plan", fileOf("sahel-solar")], null)).toContain(
      "There is nothing to do: the chain is so already.",
    );
    // With nothing left to send, no batch is written.
    const none = join(work, "none.json");
    await done(["apply", fileOf("sahel-solar"), "--export", "safe", "--out", none], null);
    await expect(access(none)).rejects.toThrow("ENOENT");
  });

  it("lets another account create the contracts, and leaves the rest to the owner", async () => {
    await example("term", "delta-wind");
    const text = await done(["apply", fileOf("delta-wind"), "--send"], STRANGER);
    expect(text).toMatch(/^sending {2}create the TermDeposit of delta-wind\n1 transaction sent and mined\.\n/);
    expect(text).toMatch(new RegExp(`\nlist delta-wind +to be scheduled +${owner}\n`));
    await carryOut("delta-wind");
  });

  it("writes the document for a server with the files that it names, and prints the hash of the plan", async () => {
    await example("demand", "sahel-solar");
    const out = join(work, "products");
    const text = await done(["document", fileOf("sahel-solar"), "--out", out], null);
    const hash = keccak256(await readFile(join(out, "sahel-solar.json")));
    expect(text).toContain(`Hash     ${hash}\nPut the picture sahel-solar.svg into ${out} too.\n`);
    await access(join(out, "documents", "sahel-solar-inspection.txt"));
    expect(JSON.parse(await done(["plan", fileOf("sahel-solar"), "--json"], null)).document_hash).toBe(hash);
  });

  it("rehearses a product and its changes on a fork, with figures before and after, and changes nothing", async () => {
    await example("demand", "sahel-solar");
    await example("term", "delta-wind");
    const before = await blocks();
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      const text = await done(["apply", fileOf(shortId), "--rehearse"], null);
      expect(text).toMatch(/^rehearsed {2}create the \w+ of \S+\n/);
      expect(text).toContain(`rehearsed  list ${shortId}\n`);
      expect(text).toMatch(/\n\d\d transactions on a fork of the chain, none failed\. Its time moved on by 2 days\.\n/);
      expect(text).toMatch(/\ndeposit cap +— +1 000 000 USDC\n/);
    }
    expect(await blocks()).toBe(before);
    await carryOut("sahel-solar");
    await change("sahel-solar", [/^cap: 1000000/m, "cap: 2000000"]);
    const { figures } = JSON.parse(await done(["apply", fileOf("sahel-solar"), "--rehearse", "--json"], null));
    expect(figures).toContainEqual(["deposit cap", "1 000 000 USDC", "2 000 000 USDC"]);
    expect(figures).toContainEqual(["share price", "1 USDC", "1 USDC"]);
    expect(await planned("sahel-solar")).toMatchObject([{ state: "schedule" }]);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends the fork of a rehearsal that %s ends", async (signal) => {
    await example("demand", "sahel-solar");
    const [anvil, noted] = [join(work, "anvil"), join(work, "anvil.pid")];
    await writeFile(anvil, `#!/bin/sh\necho $$ > ${noted}\nexec ${anvilBinary()} "$@"\n`, { mode: 0o755 });
    const program = fileURLToPath(new URL("../../bin/aqua.mjs", import.meta.url));
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    // The fork reads from the chain once it listens. It never gets an answer, so the rehearsal is in its midst.
    let reached = () => {};
    const isMidst = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const silent = (_: string, answer: () => Promise<string>) => {
      if (!existsSync(noted)) return answer();
      reached();
      return new Promise<string>(() => {});
    };
    await through(chain, silent, async (rpc) => {
      const args = ["product", "apply", fileOf("sahel-solar"), "--rehearse", "--rpc", rpc];
      const command = spawn(process.execPath, [program, ...args, "--deployments", join(folder, "deployments")], {
        env: { ...process.env, ANVIL: anvil },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => command.once("close", (_code, by) => resolve(by)));
      await isMidst;
      const pid = Number(await readFile(noted, "utf8"));
      try {
        expect(isAlive(pid)).toBe(true);
        command.kill(signal);
        expect(await ended).toBe(signal);
        await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000);
      } finally {
        if (isAlive(pid)) process.kill(pid, "SIGKILL");
      }
    });
  });

  it("refuses the accounts of the local chain elsewhere", async () => {
    await example("demand", "sahel-solar");
    await change("sahel-solar", [/^treasury: .*$/m, 'treasury: "0x9eF6c02FB2ECc446146E05F1fF687a788a8BF76d"']);
    expect((await product(["plan", fileOf("sahel-solar")], null)).error).toContain(
      "the key of the treasury of sahel-solar, 0x9eF6c02FB2ECc446146E05F1fF687a788a8BF76d, comes from a published test mnemonic",
    );
  });
});

describe("aqua product, of listed products", () => {
  beforeAll(async () => {
    work = await mkdtemp(join(folder, "listed-"));
    listed = work;
    await create("demand", "sahel-solar");
    await create("term", "delta-wind");
    state = await chain.rpc("evm_snapshot");
  });
  beforeEach(() => cp(listed, work, { recursive: true }));

  it("shows a changed cap, fee, custodian and term in words, and makes the change through the owner's delay", async () => {
    await change(
      "sahel-solar",
      [/^cap: 1000000/m, "cap: 2000000.5"],
      [/^fee_percent: 10/m, "fee_percent: 12.5"],
      [/^custodian: .*$/m, `custodian: "${account(22)}"`],
      [/summary: An example/, "summary: The example"],
    );
    await change("delta-wind", [/cap: 400000\n {4}open: true/, "cap: 300000\n    open: false"]);
    const text = await done(["plan", fileOf("sahel-solar")], null);
    expect(text).toContain("deposit cap: 1 000 000 → 2 000 000.5 USDC\n");
    expect(text).toContain("performance fee: 10% → 12.5%\n");
    expect(text).toContain(`custodian: ${account(20)} → ${account(22)}\n`);
    expect(text).toMatch(/document: 0x\w{64} → 0x\w{64}\n/);
    const term = await done(["plan", fileOf("delta-wind")], null);
    expect(term).toContain("cap of term 0: 400 000 → 300 000 USDC\n     term 0: offered → not offered\n");

    for (const shortId of ["sahel-solar", "delta-wind"]) await done(["apply", fileOf(shortId), "--send"]);
    const vault = { address: (await listing("sahel-solar")).address, abi: demandVaultAbi } as const;
    expect(await client().readContract({ ...vault, functionName: "cap" })).toBe(1_000_000_000_000n);
    await passDelay();
    for (const shortId of ["sahel-solar", "delta-wind"])
      expect(await done(["apply", fileOf(shortId), "--send"])).toContain("The chain is as wanted.");
    expect(await client().readContract({ ...vault, functionName: "cap" })).toBe(2_000_000_500_000n);
    expect((await client().readContract({ ...vault, functionName: "desk" })).fee).toBe(125n * 10n ** 15n);
  });

  it("prints call data for the account that acts, and says when there is none to send", async () => {
    await change("sahel-solar", [/^cap: 1000000/m, "cap: 2000000"]);
    const text = await done(["apply", fileOf("sahel-solar"), "--calldata"], null);
    const manager = (await contracts()).access_manager;
    const [, to, data] = /^schedule: set the deposit cap of sahel-solar\n {2}to (\S+)\n {4}(\S+)\n/.exec(text) ?? [];
    expect(to).toBe(manager);
    expect(text).toContain(`${owner} sends 1 transaction, in this order.`);
    await sendAs(chain, owner, to, data);
    const { error, code } = await product(["apply", fileOf("sahel-solar"), "--calldata"], null);
    expect([error, code]).toEqual([
      expect.stringMatching(/can send nothing of it now; "set the deposit cap .*": .* until /),
      1,
    ]);
  });

  it("shows what is scheduled, also what the file does not ask for, and when it may be made", async () => {
    expect(await done(["status", fileOf("sahel-solar")], null)).toMatch(
      /\nDeposits {2}open\nDocument {2}0x\w{64}, as on the chain\n\nNothing is to be done or scheduled\.\n$/,
    );
    await change("sahel-solar", [/^cap: 1000000/m, "cap: 2000000"], [/^fee_percent: 10/m, "fee_percent: 12"]);
    await done(["apply", fileOf("sahel-solar"), "--send"]);
    await change("sahel-solar", [/^fee_percent: 12/m, "fee_percent: 10"], [/^min_deposit: 10/m, "min_deposit: 20"]);
    const text = await done(["status", fileOf("sahel-solar")], null);
    expect(text).toMatch(/\nset the smallest deposit of sahel-solar +to be scheduled\n/);
    expect(text).toMatch(/\nset the deposit cap of sahel-solar +scheduled +\d{4}\S+Z – \d{4}\S+Z +0x\w{40}\n/);
    expect(text).toMatch(new RegExp(`\nsetTreasury\\(${account(21)}, 120000000000000000\\) +scheduled +`));
    await passDelay();
    expect(await done(["status", fileOf("sahel-solar")], null)).toMatch(
      /set the deposit cap of sahel-solar +may be done now/,
    );
    // A call that was not made within a week has to be announced again.
    await chain.rpc("evm_increaseTime", [8 * 86_400]);
    await chain.rpc("evm_mine");
    const late = await done(["status", fileOf("sahel-solar")], null);
    expect(late).toMatch(/set the deposit cap of sahel-solar +to be scheduled\n/);
    expect(late).not.toContain("setTreasury");
  });

  it("writes the file of a listed product, from which nothing differs on the chain", async () => {
    const products = join(work, "products");
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      await done(["document", fileOf(shortId), "--out", products], null);
      const path = join(work, `written-${shortId}.yaml`);
      const node = ["--rpc", chain.url, "--deployments", join(folder, "deployments"), "--products", products];
      const args = ["init", path, "--from-chain", "--chain", String(CHAIN), ...node];
      expect(await done([...args, "--short-id", shortId], null)).toContain(`Written: ${path}\n`);
      expect(await done(["plan", path], null)).toContain("There is nothing to do: the chain is so already.");
      const none = await product([...args, "--short-id", "nothing-here"], null);
      expect(none.error).toBe(`aqua: chain ${CHAIN} lists no product nothing-here\n`);
      await rm(path);
      await writeFile(join(products, `${shortId}.json`), "{}");
      expect((await product([...args, "--short-id", shortId], null)).error).toMatch(
        /products has no document with the hash of the registry, 0x\w{64}; a server/,
      );
      await expect(access(path)).rejects.toThrow("ENOENT");
    }
  });

  it("says which devices of the file are not enrolled, where the server can be asked", async () => {
    const device = (name: string) =>
      `  - { name: ${name}, metric: energy, exponent: -3, place: Hall, latitude: 1, longitude: 2, model: Meter, trust: declared, min: 0, max: 1000, interval: 300000 }`;
    await change("sahel-solar", [
      /^devices: \[\]$/m,
      `devices:\n${device("pump-1")}\n${device("pump-2")}\n${device("pump-3")}`,
    ]);
    const enrolled = [
      { name: "pump-1", short_id: "sahel-solar", retired_at: null },
      { name: "pump-2", short_id: "sahel-solar", retired_at: 1 },
      { name: "pump-3", short_id: "delta-wind", retired_at: null },
    ];
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: enrolled }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = { AQUA_URL: url, OPERATOR_TOKEN: "token" };
    expect((await product(["status", fileOf("sahel-solar")], null, asked)).out).toContain(
      "\nDevices   3 in the file; not enrolled: pump-2, pump-3\n",
    );
    expect(await done(["status", fileOf("sahel-solar")], null)).toContain("3 in the file; OPERATOR_TOKEN is not set");
  });

  it("closes and pauses a product by the guardian's key, and opens it by the owner's", async () => {
    // Evidence that has lapsed stops no one from closing a product.
    await change("sahel-solar", [/expires: \d{4}/, "expires: 2020"]);
    expect((await product(["plan", fileOf("sahel-solar")], null)).error).toContain("has lapsed");
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      const file = fileOf(shortId);
      expect(await done(["close", file], null)).toContain(
        `close ${shortId}\n     by the guardian ${guardian}, at once`,
      );
      expect((await listing(shortId)).state).toBe(0);
      expect((await product(["close", file, "--send"])).error).toContain(
        `${owner} may do none of this; "close ${shortId}" is for the guardian ${guardian}`,
      );
      await done(["close", file, "--send"], GUARDIAN);
      expect((await listing(shortId)).state).toBe(1);
      expect(await done(["close", file, "--send"], GUARDIAN)).toContain(
        "There is nothing to do: the chain is so already.",
      );
      await done(["close", file, "--pause", "--send"], GUARDIAN);
      expect(await done(["status", file], null)).toMatch(/\nDeposits {2}closed\n[\s\S]*\nPaused {4}until \d{4}/);
      expect(await done(["open", file, "--send"])).toContain(`sending  schedule: end the pause of ${shortId}`);
    }
    await passDelay();
    for (const shortId of ["sahel-solar", "delta-wind"]) {
      expect(await done(["open", fileOf(shortId), "--send"])).toContain("The chain is as wanted.");
      expect(await done(["status", fileOf(shortId)], null)).toContain("\nDeposits  open\n");
    }
  });

  it("renews evidence by the reporter, and only by the owner to an earlier time", async () => {
    await change("sahel-solar", [/^(evidence_until: \d{4}-)\d\d-\d\d/m, "$101-01"]);
    const [earlier] = await planned("sahel-solar");
    expect(earlier).toMatchObject({ what: "renew the evidence of sahel-solar", by: owner, state: "schedule" });
    const text = await readFile(fileOf("sahel-solar"), "utf8");
    await done(["apply", fileOf("sahel-solar"), "--send"]);
    await passDelay();
    await done(["apply", fileOf("sahel-solar"), "--send"]);
    await writeFile(fileOf("sahel-solar"), text.replace(/^(evidence_until: \d{4}-)\d\d-\d\d/m, "$102-01"));
    const [later] = await planned("sahel-solar");
    expect(later).toMatchObject({ by: validConfig(CHAIN).roles.reporter, state: "send", schedule: null });
  });

  it("names the bound of evidence by the chain's time, also where this machine's clock is ahead", async () => {
    const { timestamp } = await client().getBlock();
    const day = (days: number) => new Date((Number(timestamp) + days * 86_400) * 1_000).toISOString().slice(0, 10);
    await example("term", "north-wind");
    const refused = async (shortId: string) => {
      const { code, error } = await product(["plan", fileOf(shortId)]);
      return [code, error];
    };
    for (const shortId of ["sahel-solar", "delta-wind", "north-wind"])
      await change(
        shortId,
        [/^evidence_until: .*$/m, `evidence_until: ${day(402)}T00:00:00Z`],
        [/expires: .*$/m, `expires: ${day(450)}`],
      );
    vi.useFakeTimers({ toFake: ["Date"], now: (Number(timestamp) + 100 * 86_400) * 1_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    for (const shortId of ["sahel-solar", "delta-wind", "north-wind"])
      expect(await refused(shortId)).toEqual([
        1,
        expect.stringMatching(
          /yaml, line \d+, evidence_until: is more than 400 days after the newest block of the chain, \S+Z, and the contract refuses that\n$/,
        ),
      ]);
    await change("sahel-solar", [/^evidence_until: .*$/m, `evidence_until: ${day(399)}T00:00:00Z`]);
    expect(await refused("sahel-solar")).toEqual([0, ""]);
  });

  it("names the error by which a contract refuses a transaction or its rehearsal", async () => {
    const pause = (...way: string[]) => product(["close", fileOf("sahel-solar"), "--pause", ...way], GUARDIAN);
    expect((await pause("--send")).code).toBe(0);
    await chain.rpc("evm_increaseTime", [8 * 86_400]);
    await chain.rpc("evm_mine");
    const words = /deposits were paused lately, and can be paused again from \S+Z on/;
    expect((await pause("--rehearse")).error).toMatch(words);
    expect((await pause("--send")).error).toMatch(words);
  });

  it("names line and field of a value that can never change, and that another product is needed", async () => {
    const next = "; put that value into the file, or take another short_id for a new product\n";
    for (const [shortId, from, to, words] of [
      [
        "sahel-solar",
        /^vesting_seconds: 86400/m,
        "vesting_seconds: 90000",
        "vesting_seconds: the product on the chain has 86400 for good, the file says 90000",
      ],
      [
        "sahel-solar",
        /^max_gain_percent_per_year: 30/m,
        "max_gain_percent_per_year: 40",
        "max_gain_percent_per_year: the product on the chain has 30% for good, the file says 40%",
      ],
      ["sahel-solar", /aqEXAMPLE/, "aqOTHER", "share_symbol: share_symbol of sahel-solar of the contract at"],
      [
        "sahel-solar",
        /^evidence_until: .*$/m,
        "evidence_until: null",
        "evidence_until: the product on the chain is one with devices",
      ],
      [
        "delta-wind",
        /^custodian: .*$/m,
        `custodian: "${account(22)}"`,
        `custodian: the product on the chain has ${account(20)} for good, the file says ${account(22)}`,
      ],
      [
        "delta-wind",
        /^buffer_percent: 20/m,
        "buffer_percent: 25",
        "buffer_percent: the product on the chain has 20% for good, the file says 25%",
      ],
      [
        "delta-wind",
        /rate_percent: 4$/m,
        "rate_percent: 5",
        "terms.0: delta-wind has another term 0, and terms never change",
      ],
    ] as const) {
      const before = await readFile(fileOf(shortId), "utf8");
      await change(shortId, [from, to]);
      const { code, error } = await product(["plan", fileOf(shortId)], null);
      expect([error, code]).toEqual([expect.stringContaining(words), 1]);
      expect(error).toMatch(/^aqua: \S+\.yaml, line \d+, /);
      if (!words.startsWith("terms")) expect(error.endsWith(next)).toBe(true);
      await writeFile(fileOf(shortId), before);
    }
    await change("delta-wind", [/short_id: delta-wind/, "short_id: sahel-solar"]);
    expect((await product(["plan", fileOf("delta-wind")], null)).error).toMatch(
      /line 4, type: 0x\w{40} is a demand_deposit for good/,
    );
  });

  it("refuses a key without the role, a wrong key and a wrong command, and changes nothing", async () => {
    await change("sahel-solar", [/^cap: 1000000/m, "cap: 2000000"]);
    const file = fileOf("sahel-solar");
    const before = await blocks();
    for (const [args, key, words, code] of [
      [
        ["apply", file, "--send"],
        STRANGER,
        `${stranger} may do none of this; "set the deposit cap of sahel-solar" is for the owner ${owner}. Use that key`,
        1,
      ],
      [["apply", file, "--send"], null, "PRODUCT_KEY must be set to the key of the account that acts", 1],
      [
        ["apply", file, "--send", "--from", stranger],
        OWNER,
        `PRODUCT_KEY is the key of ${owner}, not of --from ${stranger}`,
        1,
      ],
      [["apply", file, "--send", "--calldata"], OWNER, "--send, --calldata and --export exclude each other", 2],
      [["apply", file, "--export", "safe"], null, "--export safe and --out FILE go together", 2],
      [["apply", file, "--export", "ledger", "--out", "out.json"], null, "--export knows one kind, safe", 2],
      [["apply", file, "--export", "safe", "--out", file], null, `${file} exists already`, 1],
      [["aply", file], null, "unknown command 'aply'; did you mean apply?", 2],
      [["plan"], null, "missing required argument 'file'", 2],
      [["init", file], null, `${file} exists already; no file is overwritten`, 1],
    ] as const) {
      const { error, code: found } = await product(args, key);
      expect([error, found]).toEqual([expect.stringContaining(words), code]);
    }
    expect(await blocks()).toBe(before);
  });

  it("stops before anything is sent where an act fails in the rehearsal, and where there is no anvil", async () => {
    await done(["close", fileOf("sahel-solar"), "--pause", "--send"], GUARDIAN);
    await passDelay();
    await chain.rpc("evm_increaseTime", [6 * 86_400]);
    await chain.rpc("evm_mine");
    const before = await blocks();
    // A pause cannot be followed by another one within a week of its end.
    const paused = await product(["close", fileOf("sahel-solar"), "--pause", "--rehearse", "--send"], GUARDIAN);
    expect([paused.error, paused.code]).toEqual([
      expect.stringMatching(/^aqua: the rehearsal stopped: "pause sahel-solar" would fail: .*; nothing was sent\n$/),
      1,
    ]);
    await change("sahel-solar", [/^cap: 1000000/m, "cap: 2000000"]);
    const missing = await product(["apply", fileOf("sahel-solar"), "--rehearse", "--send"], OWNER, {
      ANVIL: "no-such-anvil",
    });
    expect([missing.error, missing.code]).toEqual([
      "aqua: --rehearse needs anvil of Foundry on the PATH, or ANVIL must name it\n",
      1,
    ]);
    expect(await blocks()).toBe(before);
  });
});

it("aqua product takes over products that were deployed without the CREATE2 proxy", async () => {
  const plain = await startAnvil(CHAIN + 1);
  work = await mkdtemp(join(folder, "work-"));
  try {
    await plain.rpc("anvil_setBalance", [privateKeyToAccount(DEPLOYER).address, "0xde0b6b3a7640000"]);
    await putToken(plain, TOKEN, "USDC");
    const config = { ...validConfig(CHAIN + 1), products: [{ ...demandProduct, treasury: account(21) }, timeProduct] };
    const out = join(work, "deployments");
    const deploying = [
      "deploy",
      "--config",
      await writeConfig(work, "config", config),
      "--rpc",
      plain.url,
      "--out",
      out,
    ];
    expect((await runAqua([...deploying, "--plain-create", "--send"], { DEPLOYER_KEY: DEPLOYER })).error).toBe("");
    const names = [demandProduct, timeProduct].map((one) => [one.short_id, one.share_name, one.share_symbol] as const);
    for (const [shortId, name, symbol] of names) {
      const type = shortId === demandProduct.short_id ? "demand" : "term";
      await example(type, shortId);
      await change(
        shortId,
        [/^chain_id: .*$/m, `chain_id: ${CHAIN + 1}`],
        [/^share_name: .*$/m, `share_name: ${name}`],
        [/^share_symbol: .*$/m, `share_symbol: ${symbol}`],
        [/^evidence_until: .*$/m, "evidence_until: null"],
        ...(type === "term"
          ? [
              [
                /^terms:[\s\S]*?^# The product's page/m,
                `terms: ${JSON.stringify(timeProduct.terms)}\n# The page`,
              ] as const,
            ]
          : []),
      );
      const args = ["product", "plan", fileOf(shortId), "--rpc", plain.url, "--deployments", out, "--json"];
      const { out: text, error } = await runAqua(args, {});
      expect(error).toBe("");
      expect(JSON.parse(text).acts.map(({ what, changes }: PlannedAct) => [what, changes.length])).toEqual([
        type === "demand"
          ? ["set the deposit cap of sahel-solar", 1]
          : ["set cap and smallest deposit of delta-wind", 2],
        [`set the document of ${shortId}`, 1],
      ]);
    }
  } finally {
    await plain.stop();
  }
});
