import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roleIds } from "@aqua/contracts/deploy/roles";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { recoveryStatement } from "@aqua/sdk/takeover";
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  http,
  keccak256,
  type PublicClient,
  stringToHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { depositor, roleAccount } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { type DeployedWorld, deployContracts } from "../src/deploy.ts";
import { productsFolder } from "../src/documents.ts";
import { sealBatches } from "../src/fleet/batches.ts";
import { modelIncome } from "../src/fleet/modelIncome.ts";
import { Operator } from "../src/operator.ts";
import { devnetProducts, shortIds } from "../src/products.ts";
import { OWNER_DELAY } from "../src/roles.ts";
import { subjectOf } from "../src/seed/identity.ts";
import { crowded } from "../src/seed/intents.ts";
import { type Plan, planWorld } from "../src/seed/plan.ts";
import { runPlan } from "../src/seed/run.ts";
import { receiptStatus } from "../src/seed/termModel.ts";
import { type Call, Sender } from "../src/sender.ts";
import { freePort } from "./support/port.ts";

/** The days after a seeded month, on a chain whose clock the test moves. */
const DAY = 86_400;
const HOUR = 3_600;
const END = Date.UTC(2026, 10, 22, 1) / 1_000;
let chain: Chain;
let client: PublicClient;
let world: DeployedWorld;
let plan: Plan;
let sender: Sender;
let operator: Operator;
let now = END;
const depositors = 8;

beforeAll(async () => {
  const genesisTime = END - 30 * DAY;
  chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime });
  client = createPublicClient({ transport: http(chain.url, { retryCount: 0, batch: true }), cacheTime: 0 });
  sender = await Sender.on(chain.rpc);
  plan = planWorld({ start: genesisTime + 12, end: END - 60, depositors });
  world = await deployContracts(sender, genesisTime + 12, { ownerDelay: OWNER_DELAY, evidence: plan.evidence });
  const { telemetryAnchor } = world.addresses;
  const { batches } = await sealBatches(plan, telemetryAnchor);
  await runPlan({ sender, world, plan, batches, end: END });
  operator = new Operator(sender, world.deployment, { income: modelIncome(chain.url, telemetryAnchor) });
});
afterAll(() => chain?.stop());

/** Runs the operator once, `seconds` later. Returns the purposes of its calls. Rejects if a call fails on chain. */
async function look(seconds: number): Promise<string[]> {
  now += seconds;
  await sender.block([], now - 2);
  const calls = await operator.due(now - 2);
  await sender.block(calls, now);
  await sender.settle();
  return calls.map(({ what }) => what);
}

/** Mines the calls in one block, `seconds` later. Rejects if a call fails on chain. */
async function send(calls: readonly Call[], seconds = 12): Promise<void> {
  now += seconds;
  await sender.block(calls, now);
  await sender.settle();
}

/** A call, to simulate or to send. */
interface Written {
  from: PrivateKeyAccount;
  address: Address;
  abi: Abi;
  functionName: string;
  args: readonly unknown[];
}
const sent = ({ from, address, ...call }: Written): Call => ({
  ...{ from, to: address, what: call.functionName },
  data: encodeFunctionData(call),
});

/** The name of the error with which a contract rejects a call now; null if it accepts it. */
async function refusalOf({ from, ...call }: Written): Promise<string | null> {
  const refused = await client.simulateContract({ ...call, account: from.address }).then(
    () => null,
    (error: BaseError) => error.walk((cause) => cause instanceof ContractFunctionRevertedError),
  );
  return refused === null ? null : ((refused as ContractFunctionRevertedError).data?.errorName ?? "");
}

function totals(): Promise<readonly [bigint, bigint, bigint, bigint]> {
  const address = world.queues.get(crowded) as Address;
  return client.readContract({ address, abi: redemptionQueueAbi, functionName: "totals" });
}

it("the operator repeats no call when it runs again at once", async () => {
  while ((await look(60)).length > 0);
  expect(await look(60)).toEqual([]);
});

it("the operator commits to an edited document only while it is valid, and logs the wrong line once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aqua-documents-"));
  await cp(productsFolder, folder, { recursive: true });
  const warnings: string[] = [];
  const income = modelIncome(chain.url, world.addresses.telemetryAnchor);
  const warn = (message: string) => void warnings.push(message);
  const editor = new Operator(sender, world.deployment, { income, folder, warn });
  const file = join(folder, "sahel-solar.json");
  const text = await readFile(file, "utf8");
  const calls = async () => (await editor.due(now)).map(({ what }) => what);
  const listed = async () => {
    const of = { address: world.addresses.productRegistry, abi: productRegistryAbi } as const;
    return (await client.readContract({ ...of, functionName: "productOf", args: ["sahel-solar"] }))[4];
  };
  const before = await listed();

  for (const [edited, fault] of [
    [text.replace(/"summary": "[^"]*"/, '"summary": 7'), /sahel-solar\.json, line 4, summary: /],
    [text.slice(0, -3), /sahel-solar\.json, line \d+: /],
    [text.replace('"short_id": "sahel-solar"', '"short_id": "alps-hydro"'), / is the document of alps-hydro, not of /],
  ] as const) {
    warnings.length = 0;
    await writeFile(file, edited);
    expect([await calls(), await calls()]).toEqual([[], []]);
    expect(warnings).toEqual([expect.stringMatching(fault)]);
    expect(warnings[0]).toMatch(/^The document of sahel-solar stays as it is listed: /);
  }
  await rm(file);
  expect(await calls()).toEqual([]);
  expect(warnings.at(-1)).toContain("sahel-solar.json cannot be read: ENOENT");
  expect(await listed()).toBe(before);

  await writeFile(file, text.replace("\n", "\n\n"));
  await send(await editor.due(now));
  expect(await listed()).toBe(keccak256(await readFile(file)));
  await rm(folder, { recursive: true });
  await send(await operator.due(now));
  expect(await listed()).toBe(before);
});

it("the operator serves the queue after the custodian's notice has passed, and reports in time", async () => {
  const [requested, , before] = await totals();
  expect(before).toBeLessThan(requested);
  for (let step = 0; step < 7 * 24; step += 4) await look(4 * HOUR);
  const [, , processed] = await totals();
  expect(processed).toBe(requested);
  for (const { shortId, reportEveryDays } of devnetProducts) {
    const address = world.vaults.get(shortId) as Address;
    const asOf = await client.readContract({ address, abi: demandVaultAbi, functionName: "lastReportAsOf" });
    expect(now - Number(asOf)).toBeLessThanOrEqual(reportEveryDays * DAY + 4 * HOUR);
  }
});

it("the operator rolls over receipts with that instruction, and provides the money for those that mature", async () => {
  const address = world.termDeposits.get("jutland-biogas") as Address;
  const model = plan.termDeposits.get("jutland-biogas");
  const waiting = [...(model?.receipts ?? [])].filter(
    ([, { status, roll }]) => status === receiptStatus.live && roll > 0,
  );
  expect(waiting.length).toBeGreaterThan(0);
  // Terms last months, so the operator checks every twelve hours until the first receipt has matured.
  const first = waiting.map(([, { maturity }]) => Number(maturity)).sort((a, b) => a - b)[0] ?? 0;
  while (now < first - DAY) await look(12 * HOUR);
  const books = await client.readContract({ address, abi: termDepositAbi, functionName: "books" });
  expect(books.cash).toBeGreaterThan(books.reserved);
  const done: string[] = [];
  while (now < first + DAY) done.push(...(await look(6 * HOUR)));
  expect(done.some((what) => what.startsWith("roll over receipt"))).toBe(true);
});

/** A depositor with shares of some vaults and receipts of some time deposits that are not paid. */
async function invested() {
  for (let index = 0; index < depositors; index++) {
    const old = depositor(index);
    const vaults: [address: Address, shares: bigint][] = [];
    for (const address of world.vaults.values()) {
      const call = { address, abi: demandVaultAbi, functionName: "balanceOf", args: [old.address] } as const;
      const shares = await client.readContract(call);
      if (shares > 0n) vaults.push([address, shares]);
    }
    const receipts: [address: Address, ids: bigint[]][] = [];
    for (const address of world.termDeposits.values()) {
      const of = { address, abi: termDepositAbi } as const;
      const opened = await client.getContractEvents({ ...of, eventName: "Opened", fromBlock: 0n, strict: true });
      const owned = opened.map(({ args: { id } }) =>
        client.readContract({ ...of, functionName: "ownerOf", args: [id] }).then(
          (owner) => (owner === old.address ? [id] : []),
          // A paid receipt no longer exists.
          () => [],
        ),
      );
      const ids = (await Promise.all(owned)).flat();
      if (ids.length > 0) receipts.push([address, ids]);
    }
    if (vaults.length > 0 && receipts.length > 0) return { old, vaults, receipts };
  }
  throw new Error("No depositor has both shares and receipts.");
}

it("the operator carries out a recovery after its 72 hours: all holdings of the lost wallet go to its successor", async () => {
  const { old, vaults, receipts } = await invested();
  const next = privateKeyToAccount(`0x${"5e".repeat(32)}`);
  const address = world.addresses.identityRegistry;
  const call = (role: "attester" | "keeper", functionName: string, args: readonly unknown[]): Written => ({
    ...{ from: roleAccount(role), address, abi: identityRegistryAbi, functionName, args },
  });
  const subject = `\nRequest ID: ${subjectOf(old.address)}`;
  const bound = await next.signMessage({ message: `Link.${subject}` });
  const until = BigInt(now + 999 * DAY);
  const binding = [next.address, BigInt(subjectOf(old.address)), until, 250, 1, stringToHex("Link."), bound];
  await send([sent(call("attester", "bind", binding))]);
  const signed = await next.signMessage({ message: `Recover.\n${recoveryStatement(old.address)}${subject}` });
  const proposal = [old.address, next.address, stringToHex("Recover."), "0x", signed];
  await send([sent(call("attester", "proposeRecovery", proposal))]);

  const execute = call("keeper", "executeRecovery", [old.address]);
  await look(71 * HOUR);
  expect(await refusalOf(execute)).toBe("RecoveryTooEarly");
  await look(HOUR);
  await send([sent(execute)]);
  const moves: Written[] = [
    ...vaults.map(([vault]) => ({ address: vault, abi: demandVaultAbi, args: [old.address] })),
    ...receipts.map(([product, ids]) => ({ address: product, abi: termDepositAbi, args: [old.address, ids] })),
  ].map((move) => ({ ...move, from: roleAccount("keeper"), functionName: "recover" }));
  await send(moves.map(sent));
  for (const [vault, shares] of vaults) {
    const of = { address: vault, abi: demandVaultAbi, functionName: "balanceOf" } as const;
    expect(await client.readContract({ ...of, args: [old.address] })).toBe(0n);
    expect(await client.readContract({ ...of, args: [next.address] })).toBe(shares);
  }
  for (const [product, ids] of receipts)
    for (const id of ids) {
      const of = { address: product, abi: termDepositAbi, functionName: "ownerOf", args: [id] } as const;
      expect(await client.readContract(of)).toBe(next.address);
    }
});

it("the operator catches up after weeks without a round", async () => {
  for (let round = 0; round < 6; round++) await look(round === 0 ? 20 * DAY : 60);
  for (const { shortId } of devnetProducts) {
    const address = world.vaults.get(shortId) as Address;
    const asOf = await client.readContract({ address, abi: demandVaultAbi, functionName: "lastReportAsOf" });
    expect(now - Number(asOf)).toBeLessThan(HOUR);
  }
  expect(await look(60)).toEqual([]);
});

it("the operator renews evidence before it expires", async () => {
  const done: string[] = [];
  for (let round = 0; round < 6; round++) done.push(...(await look(round === 0 ? 340 * DAY : 60)));
  const renewed = done.filter((what) => what.startsWith("renew the evidence")).sort();
  expect(renewed).toEqual(shortIds.map((shortId) => `renew the evidence of ${shortId}`).sort());
});

it("the operator moves the reporter's role to another key by the owner's schedule: the old key is rejected, the new one reports", async () => {
  const [old, next] = [roleAccount("reporter"), privateKeyToAccount(`0x${"6e".repeat(32)}`)];
  await chain.rpc.call("anvil_setBalance", [next.address, "0x56bc75e2d63100000"]);
  const manager = world.addresses.accessManager;
  const asOwner = (functionName: string, args: readonly unknown[]): Written => ({
    ...{ from: roleAccount("owner"), address: manager, abi: accessManagerAbi, functionName, args },
  });
  const rotation = [
    asOwner("grantRole", [roleIds.reporter, next.address, 0]),
    asOwner("revokeRole", [roleIds.reporter, old.address]),
  ];
  await send(rotation.map((call) => sent(asOwner("schedule", [manager, sent(call).data, 0]))));
  for (const call of rotation) expect(await refusalOf(call)).toBe("AccessManagerNotReady");

  const [shortId, address] = [...world.vaults][0] as [string, Address];
  const income = modelIncome(chain.url, world.addresses.telemetryAnchor);
  const { evidence } = (await income(shortId, { from: now, to: now, assets: 0n, closed: false })) ?? {};
  const report = (from: PrivateKeyAccount): Written => {
    return { from, address, abi: demandVaultAbi, functionName: "report", args: [0n, BigInt(now), evidence] };
  };
  expect([await refusalOf(report(old)), await refusalOf(report(next))]).toEqual([null, "AccessManagedUnauthorized"]);
  await send(rotation.map(sent), OWNER_DELAY);
  expect(await refusalOf(report(old))).toBe("AccessManagedUnauthorized");
  await send([sent(report(next))]);
  const of = { address, abi: demandVaultAbi, functionName: "lastReportAsOf" } as const;
  expect(await client.readContract(of)).toBe(BigInt(now - 12));
});
