import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { productDocument } from "@aqua/sdk/api/document";
import { type Deployment, deployment } from "@aqua/sdk/deployment";
import {
  type Abi,
  type Address,
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  toHex,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { run } from "../src/run.ts";
import { type Anvil, putToken, sendAs, startAnvil } from "./support/anvil.ts";
import { account, demandProduct, OWNER_DELAY, TOKEN, validConfig, writeConfig } from "./support/config.ts";

const devnetProducts = join(import.meta.dirname, "../../../devnet/products");
const KEY: Hex = `0x${"42".repeat(32)}`;
const CHAIN = 4246;
const DAY = 86_400;
const [OWNER, GUARDIAN, REPORTER, ATTESTER, TREASURER] = [1, 2, 3, 4, 5].map(account) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const CUSTODIAN = demandProduct.custodian;
const usdc = (amount: number) => BigInt(amount) * 10n ** 6n;
const holders = [
  { wallet: privateKeyToAccount(`0x${"a1".repeat(32)}`), subject: 0xa1n },
  { wallet: privateKeyToAccount(`0x${"b2".repeat(32)}`), subject: 0xb2n },
] as const;
const [alice, bob] = [holders[0].wallet.address, holders[1].wallet.address];

let chain: Anvil;
let out: string;
let addresses: Deployment;
beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  await chain.rpc("anvil_setBalance", [privateKeyToAccount(KEY).address, "0xde0b6b3a7640000"]);
  await putToken(chain, TOKEN, "USDC");
  out = await mkdtemp(join(tmpdir(), "aqua-upgrade-"));
});
afterAll(async () => {
  await chain?.stop();
  await rm(out, { recursive: true, force: true });
});

/** Runs `aqua deploy --send` with these products and returns its output. */
async function listed(products: object[]): Promise<string> {
  let text = "";
  const say = (part: string) => {
    text += part;
  };
  const path = await writeConfig(out, "config", { ...validConfig(CHAIN), products });
  const all = ["deploy", "--config", path, "--rpc", chain.url, "--out", join(out, "deployments"), "--send"];
  expect(await run(all, { environment: { DEPLOYER_KEY: KEY }, out: say, error: say }), text).toBe(0);
  addresses = deployment.parse(JSON.parse(await readFile(join(out, "deployments", `${CHAIN}.json`), "utf8")));
  return text;
}

const client = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const send = (from: string, to: string, abi: Abi, functionName: string, args: readonly unknown[]) =>
  sendAs(chain, from, to, encodeFunctionData({ abi, functionName, args }));
const read = <Result>(address: string, abi: Abi, functionName: string, args: readonly unknown[] = []) =>
  client().readContract({ address: address as Address, abi, functionName, args }) as Promise<Result>;
const pass = async (seconds: number) => {
  await chain.rpc("evm_increaseTime", [seconds]);
  await chain.rpc("evm_mine");
};
const now = async () => (await client().getBlock()).timestamp;
const vaultOf = async (shortId: string) =>
  (await read<[Address]>(addresses.product_registry, productRegistryAbi as Abi, "productOf", [shortId]))[0];
const balance = (of: Address) => read<bigint>(TOKEN, testDollarAbi as Abi, "balanceOf", [of]);

async function give(to: Address, amount: bigint) {
  const slot = keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [to, 0n]));
  await chain.rpc("anvil_setStorageAt", [TOKEN, slot, toHex(amount, { size: 32 })]);
}

async function verify({ wallet, subject }: (typeof holders)[number]) {
  const message = `usdc.example wants you to sign in with your Ethereum account:\n${wallet.address}`;
  const signature = await wallet.signMessage({
    message: `${message}\nRequest ID: 0x${subject.toString(16).padStart(32, "0")}`,
  });
  const until = (await now()) + BigInt(20 * 365 * DAY);
  const args = [wallet.address, subject, until, 250, 1, toHex(message), signature];
  await send(ATTESTER, addresses.identity_registry, identityRegistryAbi as Abi, "bind", args);
}

async function deposit(holder: Address, vault: Address, amount: bigint) {
  await send(holder, TOKEN, testDollarAbi as Abi, "approve", [vault, amount]);
  await send(holder, vault, demandVaultAbi as Abi, "deposit", [amount, holder]);
}

/** The bytes of the seeded document of `shortId` with a summary that names its successor, checked by the schema. */
async function documentNaming(shortId: string, successor: string): Promise<Hex> {
  const seeded = JSON.parse(await readFile(join(devnetProducts, `${shortId}.json`), "utf8"));
  const document = {
    ...seeded,
    summary: `${successor} is the new version. Nothing moves without you.`,
    translations: {},
  };
  return toHex(JSON.stringify(productDocument.parse(document)));
}

it("a new version of a product is listed beside the old one, which takes no deposits and whose exits stay open for ever", async () => {
  // A product in use, with two holders and half of its money at the custodian.
  const successor = {
    ...demandProduct,
    short_id: "sahel-solar-2",
    share_name: "Aqua Sahel 2",
    share_symbol: "aqSOLAR2",
  };
  await listed([demandProduct]);
  for (const holder of holders) {
    await verify(holder);
    await give(holder.wallet.address, usdc(1_000));
  }
  const old = await vaultOf("sahel-solar");
  const { queue } = await read<{ queue: Address }>(old, demandVaultAbi as Abi, "desk");
  for (const holder of [alice, bob]) await deposit(holder, old, usdc(1_000));
  await send(TREASURER, old, demandVaultAbi as Abi, "deploy", [usdc(1_000)]);

  // The new version is announced by the owner and listed once the delay has passed.
  const tasks = [
    ...(await listed([demandProduct, successor])).matchAll(
      /Left to the owner 0x\w{40}: .*\n {2}first to (\S+)\n {4}(\S+)\n .*\n {2}to (\S+)\n {4}(\S+)/g,
    ),
  ];
  expect(tasks.length).toBeGreaterThan(0);
  for (const [, to, data] of tasks) await sendAs(chain, OWNER, to, data);
  await pass(OWNER_DELAY + 3_600);
  for (const [, , , to, data] of tasks) await sendAs(chain, OWNER, to, data);
  const fresh = await vaultOf("sahel-solar-2");

  // The holders are informed: the old product's document names its successor, announced like every act of the owner.
  const document = await documentNaming("sahel-solar", "sahel-solar-2");
  const data = encodeFunctionData({
    abi: productRegistryAbi,
    functionName: "setMetadata",
    args: ["sahel-solar", keccak256(document)],
  });
  await expect(sendAs(chain, OWNER, addresses.product_registry, data)).rejects.toThrow();
  const manager = (functionName: string) =>
    send(OWNER, addresses.access_manager, accessManagerAbi as Abi, functionName, [
      addresses.product_registry,
      data,
      ...(functionName === "schedule" ? [0] : []),
    ]);
  await manager("schedule");
  await pass(OWNER_DELAY);
  await manager("execute");
  const metadata = await read<[Address, number, number, Address, Hex]>(
    addresses.product_registry,
    productRegistryAbi as Abi,
    "productOf",
    ["sahel-solar"],
  );
  expect(metadata).toContain(keccak256(document));

  // From now on only the new version accepts deposits.
  await send(GUARDIAN, addresses.product_registry, productRegistryAbi as Abi, "close", ["sahel-solar"]);
  expect(await read<bigint>(old, demandVaultAbi as Abi, "maxDeposit", [alice])).toBe(0n);
  expect(await read<bigint>(fresh, demandVaultAbi as Abi, "maxDeposit", [alice])).toBeGreaterThan(0n);

  // Alice moves to the new product: at once as far as there is money, and the rest through the queue.
  await send(alice, old, demandVaultAbi as Abi, "withdraw", [usdc(400), alice, alice]);
  const rest = await read<bigint>(old, demandVaultAbi as Abi, "balanceOf", [alice]);
  await send(alice, queue, redemptionQueueAbi as Abi, "requestRedeem", [rest, alice, alice]);
  await send(CUSTODIAN, TOKEN, testDollarAbi as Abi, "approve", [old, usdc(600)]);
  await send(CUSTODIAN, old, demandVaultAbi as Abi, "repay", [usdc(600)]);
  await pass(DAY);
  await send(REPORTER, old, demandVaultAbi as Abi, "report", [0n, await now(), `0x${"ee".repeat(32)}`]);
  await send(alice, queue, redemptionQueueAbi as Abi, "process", []);
  await send(alice, queue, redemptionQueueAbi as Abi, "claim", [alice, alice]);
  expect(await balance(alice)).toBe(usdc(1_000));
  await send(REPORTER, fresh, demandVaultAbi as Abi, "report", [0n, await now(), `0x${"ee".repeat(32)}`]);
  await deposit(alice, fresh, usdc(1_000));

  // Bob returns after years without an operator. Nobody reports, but he can still withdraw.
  await send(CUSTODIAN, TOKEN, testDollarAbi as Abi, "approve", [old, usdc(400)]);
  await send(CUSTODIAN, old, demandVaultAbi as Abi, "repay", [usdc(400)]);
  await pass(5 * 365 * DAY);
  expect(await read<bigint>(old, demandVaultAbi as Abi, "maxWithdraw", [bob])).toBe(0n);
  const shares = await read<bigint>(old, demandVaultAbi as Abi, "balanceOf", [bob]);
  await send(bob, queue, redemptionQueueAbi as Abi, "requestRedeem", [shares, bob, bob]);
  await send(account(99), queue, redemptionQueueAbi as Abi, "process", []);
  await send(bob, queue, redemptionQueueAbi as Abi, "claim", [bob, bob]);
  expect(await balance(bob)).toBe(usdc(1_000));
  expect(await read<bigint>(old, demandVaultAbi as Abi, "totalSupply")).toBe(0n);
  expect(await read<bigint>(fresh, demandVaultAbi as Abi, "maxWithdraw", [alice])).toBe(0n);
});
