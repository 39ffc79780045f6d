import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import type { Client } from "@aqua/sdk/api/calls";
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseAbiParameters,
  parseEther,
  toHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { clientOf, link, register } from "../../../devnet/src/person.ts";
import { readConfig } from "../../server/src/config.ts";
import { type Instance, startInstance } from "../../server/src/instance.ts";
import { createLog } from "../../server/src/log.ts";
import { createServerDatabase } from "../../server/test/support/databases.ts";
import { newDevice } from "../../server/test/telemetry/devices.ts";
import { type Anvil, passTime, putToken, sendAs, startAnvil } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { OWNER_DELAY, TOKEN, validConfig, writeConfig } from "./support/config.ts";
import { tasksOf } from "./support/ownerTasks.ts";

// A month of an issuer, by the command alone: each act is seen in what the web app reads and, of an operator, in the public
// log; each refusal is named and changes nothing. Depositors act by the API and the contracts. The chain's clock passes
// this machine's on day 3, so that a device can report, and runs ahead of it from then on.

const CHAIN = 31_337;
const ROOT = "operator-token-of-the-month-0123456789abcdef";
const DAY = 86_400;
const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const of = (key: Hex) => privateKeyToAccount(key);
const keys = {
  DEPLOYER_KEY: keyOf("41"),
  PRODUCT_KEY: keyOf("42"),
  OWNER_PRIVATE_KEY: keyOf("42"),
  GUARDIAN_PRIVATE_KEY: keyOf("43"),
  REPORTER_PRIVATE_KEY: keyOf("44"),
  TREASURER_PRIVATE_KEY: keyOf("45"),
  ATTESTER_PRIVATE_KEY: keyOf("46"),
  REGISTRAR_PRIVATE_KEY: keyOf("47"),
  CUSTODIAN_PRIVATE_KEY: keyOf("48"),
  KEEPER_PRIVATE_KEY: keyOf("49"),
};
const [owner, guardian, reporter, treasurer, attester, registrar, custodian] = [
  ...[keys.PRODUCT_KEY, keys.GUARDIAN_PRIVATE_KEY, keys.REPORTER_PRIVATE_KEY, keys.TREASURER_PRIVATE_KEY],
  ...[keys.ATTESTER_PRIVATE_KEY, keys.REGISTRAR_PRIVATE_KEY, keys.CUSTODIAN_PRIVATE_KEY],
].map((key) => of(key).address) as [Address, Address, Address, Address, Address, Address, Address];
const wallets = ["61", "62", "63", "64"].map((byte) => of(keyOf(byte))) as [
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
  PrivateKeyAccount,
];
const [saver, lost, spare, stolen] = wallets;
const dollars = (whole: number) => BigInt(whole) * 1_000_000n;

let chain: Anvil;
let folder: string;
let instance: Instance;
/** Tokens of the named operators. */
const tokens: Record<string, string> = {};
/** Sessions of the depositors, by wallet. */
const people = new Map<Address, Client>();

const node = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const block = () => node().getBlockNumber();
const pass = (seconds: number) => passTime(chain, seconds);
const act = (from: Address, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
  sendAs(chain, from, to, encodeFunctionData({ abi, functionName, args } as never));

async function mint(holder: Address, units: bigint): Promise<void> {
  const slot = keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [holder, 0n]));
  await chain.rpc("anvil_setStorageAt", [TOKEN, slot, toHex(units, { size: 32 })]);
}
const balanceOf = (holder: Address) =>
  node().readContract({ address: TOKEN, abi: erc20Abi, functionName: "balanceOf", args: [holder] });

/** Runs `aqua` with the keys of all roles, as the operator `who` where a server is asked. */
const aqua = (args: readonly string[], who: string = ROOT, change: Record<string, string | undefined> = {}) =>
  runAqua(args, {
    ...keys,
    AQUA_URL: instance?.url ?? "",
    OPERATOR_TOKEN: tokens[who] ?? who,
    [`RPC_URL_${CHAIN}`]: chain.url,
    DEPLOYMENTS_DIR: join(folder, "deployments"),
    PRODUCTS_DIR: join(folder, "documents"),
    ...change,
  });
const onChain = ["--chain", String(CHAIN)];

async function done(args: readonly string[], who?: string): Promise<string> {
  const { code, out, error } = await aqua(args, who);
  expect(code, `${error}\n${out}`).toBe(0);
  return out;
}

/** The command refuses with this text, and nothing was sent to the chain. */
async function refused(args: readonly string[], text: RegExp, change: Record<string, string> = {}): Promise<void> {
  const before = await block();
  const { code, out, error } = await aqua(args, ROOT, change);
  expect(error + out).toMatch(text);
  expect([1, 2]).toContain(code);
  expect(await block()).toBe(before);
}

/** What the web app reads, once the server has applied the newest block. */
async function seen<Data>(path: string): Promise<Data> {
  const newest = Number(await block());
  await vi.waitFor(
    async () => {
      const { chains } = await get<{ chains: { head: { block: number } | null }[] }>("network");
      expect(chains[0]?.head?.block).toBeGreaterThanOrEqual(newest);
    },
    { timeout: 30_000 },
  );
  return get(path);
}
async function get<Data>(path: string): Promise<Data> {
  const response = await fetch(`${instance.url}/api/v2/${path}`);
  const body = (await response.json()) as { data: Data };
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
  return body.data;
}

const fileOf = (shortId: string) => join(folder, `${shortId}.yaml`);

/** Writes the example of a product for this chain, with changed lines. */
async function writeProduct(shortId: string, type: "demand" | "term", changes: readonly [RegExp, string][] = []) {
  await done(["product", "init", fileOf(shortId), "--type", type, ...onChain]);
  let text = await readFile(fileOf(shortId), "utf8");
  for (const [from, to] of [
    [/^asset: .*$/m, `asset: { address: "${TOKEN}", symbol: USDC, decimals: 6 }`],
    [/^custodian: .*$/m, `custodian: "${custodian}"`],
    ...changes,
  ] as const) {
    expect(text).toMatch(from);
    text = text.replace(from, to);
  }
  await writeFile(fileOf(shortId), text);
}

const contracts = async () => JSON.parse(await readFile(join(folder, "deployments", `${CHAIN}.json`), "utf8"));

async function addressOf(shortId: string): Promise<Address> {
  const registry = { address: (await contracts()).product_registry, abi: productRegistryAbi } as const;
  return (await node().readContract({ ...registry, functionName: "productOf", args: [shortId] }))[0];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-month-"));
  chain = await startAnvil(CHAIN, Math.floor(Date.now() / 1_000) - OWNER_DELAY - 1_200);
  await putToken(chain, TOKEN, "USDC");
  const accounts = [...Object.values(keys).map((key) => of(key).address), ...wallets.map(({ address }) => address)];
  for (const address of accounts) await chain.rpc("anvil_setBalance", [address, toHex(parseEther("10"))]);
  const valid = validConfig(CHAIN);
  const roles = {
    ...{ ...valid.roles, owner: { address: owner, delay_seconds: OWNER_DELAY }, guardian, reporter, attester },
    ...{ treasurer, registrar },
  };
  const config = await writeConfig(folder, "config", { ...valid, roles, products: [] });
  const out = join(folder, "deployments");
  expect((await aqua(["deploy", "--config", config, "--rpc", chain.url, "--out", out, "--send"])).error).toBe("");
});
afterAll(async () => {
  await instance?.stop();
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});

it("day 1: three products come from files, after the owner's delay", async () => {
  await writeProduct("pumps", "demand");
  await writeProduct("river", "demand", [[/^evidence_until: .*$/m, "evidence_until: null"]]);
  await writeProduct("wind", "term", [[/^evidence_until: .*$/m, "evidence_until: null"]]);
  await refused(["product", "apply", join(folder, "missing.yaml"), "--send"], /missing\.yaml/);
  const right = await readFile(fileOf("pumps"), "utf8");
  for (const [from, to, said] of [
    [/^cap: 1000000/m, "cap: much", /cap/],
    [/expires: \d{4}-\d\d-\d\d/, "expires: 2020-01-01", /expired|expires/],
  ] as const) {
    await writeFile(fileOf("pumps"), right.replace(from, to));
    await refused(["product", "apply", fileOf("pumps"), "--send"], said);
  }
  await writeFile(fileOf("pumps"), right);
  for (const shortId of ["pumps", "river", "wind"]) {
    await done(["product", "document", fileOf(shortId), "--out", join(folder, "documents")]);
    await done(["product", "apply", fileOf(shortId), "--send"]);
  }
  await pass(OWNER_DELAY + 1);
  for (const shortId of ["pumps", "river", "wind"])
    expect(await done(["product", "apply", fileOf(shortId), "--send"])).toContain("The chain is as wanted.");

  const config = readConfig({
    ...{ NODE_ENV: "development", PORT: "0", MQTT_PORT: "off", DATA_DIR: join(folder, "data"), LOG_LEVEL: "error" },
    ...{ DATABASE_URL: await createServerDatabase(), DEPLOYMENTS_DIR: join(folder, "deployments") },
    ...{ PRODUCTS_DIR: join(folder, "documents"), [`RPC_URL_${CHAIN}`]: chain.url, DEMO_MODE: "1" },
    ...{ IDENTITY_PROVIDER: "manual", ATTESTER_PRIVATE_KEY: keys.ATTESTER_PRIVATE_KEY, OPERATOR_TOKEN: ROOT },
    ...{
      OPERATOR_FOUR_EYES: "identity",
      SWITCH_DELAY: "1",
      RATE_LIMIT_API: "100000",
      RATE_LIMIT_ACCOUNT: "2000",
      SECRET_KEY: "07".repeat(32),
    },
  });
  instance = await startInstance(
    config,
    createLog(config, () => {}),
  );
  const { items } = await seen<{ items: { short_id: string; status: string; type: string }[] }>("product/list");
  expect(items.map(({ short_id, status }) => `${short_id} ${status}`).sort()).toEqual([
    ...["pumps open", "river open", "wind open"],
  ]);
});

it("day 3: forty devices come from one file, and a reading of one is seen", async () => {
  const pumps = Array.from({ length: 40 }, (_, index) =>
    newDevice({ name: `pump-${index}`, kind: "secp256k1", metric: "volume", exponent: -2, start: Date.now() }),
  );
  const head = "name,short_id,metric,exponent,place,latitude,longitude,model,trust,min,max,interval,key";
  const row = ({ name, key }: (typeof pumps)[number]) =>
    `${name},pumps,volume,-2,Well 4,13.5,2.1,M-1,software_key,0,1000000.00,15m,0x${key.x.slice(26)}`;
  const [csv, passwords] = [join(folder, "pumps.csv"), join(folder, "passwords.txt")];
  const enrol = ["device", "enrol", csv, "--passwords", passwords, ...onChain];
  await writeFile(csv, `${[head, ...pumps.map(row), row(pumps[0] as never)].join("\n")}\n`);
  await refused(enrol, /line 42: name: is that of line 2 too/);
  expect(JSON.parse(await done(["device", "list", "--json"]))).toEqual([]);
  await writeFile(csv, `${[head, ...pumps.map(row)].join("\n")}\n`);
  expect(await done(enrol)).toContain("Of 40 devices: keys registered 40, enrolled 40.");
  await pass(600);
  expect(await seen<object[]>("product/pumps/devices")).toHaveLength(40);
  const [pump] = pumps as [(typeof pumps)[number]];
  const response = await fetch(`${instance.url}/api/v2/telemetry`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ readings: [await pump.next()] }),
  });
  expect(await response.text()).toContain('"accepted":1');
  // The server answers from memory for up to five seconds.
  await vi.waitFor(
    async () => {
      const devices = await get<{ name: string; status: string }[]>("product/pumps/devices");
      expect(devices.find(({ name }) => name === "pump-0")?.status).toBe("online");
    },
    { timeout: 30_000, interval: 200 },
  );
});

interface Case {
  id: string;
  email: string;
  status: string;
}
const emailOf = ({ address }: PrivateKeyAccount) => `${address.slice(2, 8).toLowerCase()}@example.org`;

/** Submits a person's document. */
async function submit(client: Client): Promise<void> {
  const form = new FormData();
  const fields = { name: "Ada Lovelace", country: "SN", birth_date: "1990-01-01", document_kind: "passport" };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("document", new Blob([Buffer.from(PICTURE, "base64")], { type: "image/png" }), "passport.png");
  await client.submitIdentity(form);
}

const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=";
const waitingCase = async ({ address }: PrivateKeyAccount): Promise<Case> => {
  const { items } = JSON.parse(await done(["identity", "list", "--json"], "ada")) as { items: Case[] };
  const found = items.find(({ email }) => email === emailOf({ address } as PrivateKeyAccount));
  if (found === undefined) throw new Error(`no case of ${address}`);
  return found;
};

/** Waits until the record of the account's current wallet is on chain. */
async function untilBound(client: Client, wallet: PrivateKeyAccount): Promise<void> {
  await vi.waitFor(
    async () => {
      const [current] = (await client.accountInfo()).wallets;
      expect(current).toMatchObject({ address: wallet.address, bindings: [{ state: "bound" }] });
    },
    { timeout: 30_000, interval: 200 },
  );
}

it("day 4: two named operators decide about persons; a rejected one submits again", async () => {
  for (const name of ["ada", "bob"]) {
    const out = await done(["operator", "add", name, "--scopes", "identity,devices,operations,read", "--json"]);
    tokens[name] = JSON.parse(out).token;
  }
  for (const wallet of [saver, lost, stolen]) {
    const person = {
      email: emailOf(wallet),
      password: "ten slow herons cross the reed bed",
      country: "SN",
      name: "Ada",
    };
    const { token } = await register(instance.url, person);
    const client = clientOf(instance.url, token);
    people.set(wallet.address, client);
    await link(client, wallet);
    await submit(client);
  }
  const first = await waitingCase(saver);
  const reject = ["identity", "reject", first.id, "--reason", "document_unreadable"];
  expect((await aqua(reject)).error).toContain("Two named operators");
  expect((await aqua(reject, "ada")).code).toBe(3);
  // The same operator twice is not two.
  expect((await aqua(reject, "ada")).code).toBe(3);
  expect(await people.get(saver.address)?.identity()).toMatchObject({ status: "pending" });
  await done(reject, "bob");
  expect(await people.get(saver.address)?.identity()).toMatchObject({
    status: "rejected",
    reason: "document_unreadable",
  });
  await submit(people.get(saver.address) as Client);
  for (const wallet of [saver, lost, stolen]) {
    const approve = ["identity", "approve", (await waitingCase(wallet)).id];
    expect((await aqua(approve, "bob")).code).toBe(3);
    await done([...approve, "--days", "365"], "ada");
    expect(await people.get(wallet.address)?.identity()).toMatchObject({ status: "verified" });
    await untilBound(people.get(wallet.address) as Client, wallet);
  }
});

it("day 5: depositors deposit, and the treasurer sends money to the custodian within the buffer", async () => {
  const river = await addressOf("river");
  for (const { address } of [saver, lost, stolen]) {
    await mint(address, dollars(100_000));
    await act(address, TOKEN, erc20Abi as Abi, "approve", [river, dollars(100_000)]);
    await act(address, river, demandVaultAbi as Abi, "deposit", [dollars(100_000), address]);
  }
  const { items } = await seen<{ items: { short_id: string; tvl: string }[] }>("product/list");
  expect(items.find(({ short_id }) => short_id === "river")?.tvl).toBe("300000.000000");
  const deploy = (amount: string) => ["money", "deploy", "river", "--amount", amount, ...onChain];
  await refused(deploy("299000"), /exceed what may be deployed, 240000/);
  await refused(deploy("200000"), /does not hold the role of the treasurer/, {
    TREASURER_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY,
  });
  await done(deploy("200000"));
  expect(await balanceOf(custodian)).toBe(dollars(200_000));
  expect(await seen("product/river/liquidity")).toMatchObject({ idle: "100000.000000", deployed: "200000.000000" });
});

it("day 7: the reporter reports income within its bound", async () => {
  await pass(2 * DAY);
  await mint(reporter, dollars(10_000));
  const report = (gain: string) => ["money", "report", "river", "--gain", gain, ...onChain];
  await refused(report("9000"), /exceeds the bound/);
  await done(report("200"));
  await pass(DAY);
  const { reports } = await seen<{ reports: { delta: string }[] }>("product/river/performance?range=30d");
  expect(reports).toMatchObject([{ delta: "200.000000" }]);
  await refused(
    ["money", "report", "pumps", "--gain", "1", "--evidence", `0x${"ab".repeat(32)}`, ...onChain],
    /exceeds the bound of 0/,
  );
});

it("day 9: a wallet whose key was stolen is frozen", async () => {
  const freeze = ["identity", "freeze", stolen.address, ...onChain];
  await refused(freeze, /does not hold the role of the guardian/, { GUARDIAN_PRIVATE_KEY: keys.KEEPER_PRIVATE_KEY });
  await done(freeze);
  const river = await addressOf("river");
  await expect(
    act(stolen.address, river, demandVaultAbi as Abi, "redeem", [1n, stolen.address, stolen.address]),
  ).rejects.toThrow();
  const before = await block();
  expect(await done(freeze)).toMatch(/frozen/);
  expect(await block()).toBe(before);
});

it("day 10: a queue is paid once the custodian's money is back and a second report covers it", async () => {
  const river = await addressOf("river");
  const shares = await node().readContract({
    ...{ address: river, abi: demandVaultAbi, functionName: "balanceOf", args: [saver.address] },
  } as const);
  const { queue } = await node().readContract({ address: river, abi: demandVaultAbi, functionName: "desk" });
  await act(saver.address, queue, redemptionQueueAbi as Abi, "requestRedeem", [shares, saver.address, saver.address]);
  expect(await seen("product/river/queue?page=1&page_size=10")).toMatchObject({ total: 1 });
  const repay = (amount: string) => ["money", "repay", "river", "--amount", amount, ...onChain];
  await refused(repay("200001"), /at most/);
  await done(repay("150000"));
  await pass(2 * DAY);
  await done(["money", "report", "river", "--gain", "100", ...onChain]);
  await refused(["money", "process", "river", ...onChain], /no request is payable yet/);
  // The gain is streamed over the three days that the report covers, and the requests are payable after that.
  await pass(4 * DAY);
  await done(["money", "process", "river", ...onChain]);
  expect(await seen("product/river/queue?page=1&page_size=10")).toMatchObject({ total: 0 });
  const before = await balanceOf(saver.address);
  const claimable = await node().readContract({
    ...{ address: queue, abi: redemptionQueueAbi, functionName: "maxWithdraw", args: [saver.address] },
  } as const);
  expect(claimable).toBeGreaterThan(dollars(100_000));
  await act(saver.address, queue, redemptionQueueAbi as Abi, "withdraw", [claimable, saver.address, saver.address]);
  expect((await balanceOf(saver.address)) - before).toBe(claimable);
});

it("day 14: a recovery is vetoed, and a second one is carried out", async () => {
  const client = people.get(lost.address) as Client;
  await link(client, spare);
  await untilBound(client, spare);
  const propose = async () => {
    const file = join(folder, "recovery.txt");
    await rm(file, { force: true });
    await done(["recovery", "message", "--old", lost.address, "--new", spare.address, "--out", file, ...onChain]);
    const signature = await spare.signMessage({ message: await readFile(file, "utf8") });
    await done(["recovery", "propose", "--message", file, "--signature", signature, ...onChain]);
  };
  await propose();
  // The holder has found the key again.
  await act(lost.address, (await contracts()).identity_registry, identityRegistryAbi as Abi, "vetoRecovery", []);
  await refused(
    ["recovery", "move", "--old", lost.address, ...onChain],
    /no recovery|none is proposed|is not proposed/i,
  );
  await propose();
  await refused(["recovery", "move", "--old", lost.address, ...onChain], /from|until|not yet/i);
  await pass(3 * DAY + 60);
  await done(["recovery", "move", "--old", lost.address, ...onChain]);
  const river = await addressOf("river");
  const held = (wallet: Address) =>
    node().readContract({ address: river, abi: demandVaultAbi, functionName: "balanceOf", args: [wallet] });
  expect([await held(lost.address), (await held(spare.address)) > 0n]).toEqual([0n, true]);
});

it("day 18: the owner raises a cap by a Safe's batch file", async () => {
  const river = fileOf("river");
  const text = await readFile(river, "utf8");
  await writeFile(river, text.replace(/^cap: 1000000/m, "cap: 2000000"));
  const apply = ["product", "apply", river, "--export", "safe", "--from", owner];
  for (const name of ["schedule", "execute"]) {
    const file = join(folder, `${name}.json`);
    // With 1 it says that acts are left for later.
    expect([0, 1]).toContain((await aqua([...apply, "--out", file])).code);
    const { transactions } = JSON.parse(await readFile(file, "utf8"));
    expect(transactions.length).toBeGreaterThan(0);
    for (const { to, data } of transactions) await sendAs(chain, owner, to, data);
    await pass(OWNER_DELAY + 1);
  }
  expect(await seen("product/river")).toMatchObject({ cap: "2000000.000000" });
});

it("day 20: the reporter's key is replaced, and the old one is refused", async () => {
  const next = keyOf("4a");
  await chain.rpc("anvil_setBalance", [of(next).address, toHex(parseEther("10"))]);
  const deploy = async () => {
    const config = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
    config.roles.reporter = of(next).address;
    const path = await writeConfig(folder, "config-2", config);
    return aqua(["deploy", "--config", path, "--rpc", chain.url, "--out", join(folder, "deployments"), "--send"]);
  };
  const first = await deploy();
  const manager = /first to (0x\w{40})/.exec(first.out)?.[1];
  for (const { schedule } of tasksOf(first.out)) await sendAs(chain, owner, manager, schedule);
  await pass(OWNER_DELAY);
  for (let act = 0; act < 2; act += 1) {
    const [task] = tasksOf((await deploy()).out);
    await sendAs(chain, owner, task?.to, task?.data);
  }
  expect(await deploy()).toMatchObject({ code: 0 });
  await pass(DAY);
  const report = ["money", "report", "river", "--nothing", ...onChain];
  await refused(report, /does not hold the role of the reporter/);
  expect((await aqua(report, ROOT, { REPORTER_PRIVATE_KEY: next })).code).toBe(0);
});

it("day 22: a product is closed, and deposits end", async () => {
  await refused(["product", "close", fileOf("wind"), "--send"], /may do none of this/, {
    PRODUCT_KEY: keys.KEEPER_PRIVATE_KEY,
  });
  expect(
    (await aqua(["product", "close", fileOf("wind"), "--send"], ROOT, { PRODUCT_KEY: keys.GUARDIAN_PRIVATE_KEY })).code,
  ).toBe(0);
  const { items } = await seen<{ items: { short_id: string; status: string }[] }>("product/list");
  expect(items.find(({ short_id }) => short_id === "wind")?.status).toBe("closed");
});

it("the public log names the operators beside each decision, and verifies", async () => {
  const acts = JSON.stringify(await seen("transparency/acts?page=1&page_size=100"));
  for (const name of ["Frozen", "RecoveryProposed", "RecoveryVetoed"]) expect(acts).toContain(name);
  const out = await done(["log", "list", "--kind", "account"], "ada");
  expect(out).toContain("ada");
  expect(out).toContain("bob");
  await vi.waitFor(async () => expect((await aqua(["log", "verify", instance.url])).code).toBe(0), { timeout: 30_000 });
});
