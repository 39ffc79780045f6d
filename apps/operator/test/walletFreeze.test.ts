import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Address, encodeFunctionData, type Hex, stringToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Anvil, passTime, sendAs, startAnvil } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { OWNER_DELAY, validConfig } from "./support/config.ts";
import { deployed } from "./support/deployed.ts";

type Account = ReturnType<typeof privateKeyToAccount>;

const CHAIN = 4251;
const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const keys = { GUARDIAN_PRIVATE_KEY: keyOf("52"), OWNER_PRIVATE_KEY: keyOf("53") };
const deployer = privateKeyToAccount(keyOf("42"));
const [guardian, owner, attester, holder, stranger] = ["52", "53", "51", "61", "77"].map((byte) =>
  privateKeyToAccount(keyOf(byte)),
) as [Account, Account, Account, Account, Account];

let chain: Anvil;
let folder: string;
let registry: Address;
let manager: Address;
let ready: Hex;

beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  folder = await mkdtemp(join(tmpdir(), "aqua-freeze-"));
  for (const { address } of [deployer, guardian, owner])
    await chain.rpc("anvil_setBalance", [address, "0xde0b6b3a7640000"]);
  const valid = validConfig(CHAIN);
  const roles = {
    ...valid.roles,
    owner: { address: owner.address, delay_seconds: OWNER_DELAY },
    guardian: guardian.address,
    attester: attester.address,
  };
  const content = { ...valid, roles, products: [] };
  const deployment = await deployed(chain, { folder, deployer, content });
  registry = deployment.identity_registry as Address;
  manager = deployment.access_manager as Address;
  const signature = await holder.signMessage({ message: `Link.\nRequest ID: 0x${"ab".repeat(16)}` });
  const subject = BigInt(`0x${"ab".repeat(16)}`);
  const args = [holder.address, subject, 4_000_000_000n, 250, 1, stringToHex("Link."), signature] as const;
  const data = encodeFunctionData({ abi: identityRegistryAbi, functionName: "bind", args });
  await sendAs(chain, attester.address, registry, data);
  ready = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await chain.rpc("evm_revert", [ready]);
  ready = await chain.rpc("evm_snapshot");
});

const identity = (args: readonly string[], change: Record<string, string | undefined> = {}) =>
  runAqua(["identity", ...args, "--chain", String(CHAIN), "--rpc", chain.url, "--deployments", folder], {
    ...keys,
    ...change,
  });
const pass = (seconds: number) => passTime(chain, seconds);
const block = () => chain.rpc<Hex>("eth_blockNumber");

it("aqua identity freezes a wallet, and unfreezes it in two runs with the owner's delay between them", async () => {
  const frozen = await identity(["freeze", holder.address]);
  expect(frozen).toMatchObject({ code: 0, error: "" });
  expect(frozen.out).toMatch(
    /^Wallet {2}0x.*\nNow {5}verified: may deposit, .*\nRecord {2}valid until .*\nAfter {3}frozen: may neither deposit, /,
  );
  expect(frozen.out).toMatch(/\nSent: transaction 0x[0-9a-f]{64}\n$/);
  const head = await block();
  const again = await identity(["freeze", holder.address]);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining("nothing to do: the wallet is frozen already") });
  expect(await block()).toBe(head);

  const announced = await identity(["unfreeze", holder.address]);
  expect(announced).toMatchObject({ code: 0, error: "" });
  expect(announced.out).toMatch(/Now {5}frozen: [\s\S]*After {3}verified: [\s\S]*\nschedule: unfreeze 0x/);
  expect(announced.out).toContain(`After ${OWNER_DELAY} s and within a week, the same command carries it out.`);
  const early = await identity(["unfreeze", holder.address]);
  expect([early.code, early.error]).toEqual([1, expect.stringMatching(/is announced: run the same command between /)]);
  await pass(OWNER_DELAY);
  expect((await identity(["unfreeze", holder.address])).out).toMatch(/\nunfreeze 0x[\s\S]*Sent: transaction 0x/);
  expect((await identity(["unfreeze", holder.address])).out).toContain("nothing to do: the wallet is not frozen");
  expect(JSON.parse((await identity(["unfreeze", holder.address, "--json"])).out)).toEqual({
    ...{ wallet: holder.address, chain_id: CHAIN, act: "unfreeze", state: "verified" },
    ...{ step: null, by: null, transaction: null, file: null, sent: [] },
  });
});

it("aqua identity freeze sends nothing for a dry run or an export, and needs no key for them", async () => {
  const head = await block();
  const none = { GUARDIAN_PRIVATE_KEY: undefined, OWNER_PRIVATE_KEY: undefined };
  const planned = await identity(["freeze", holder.address, "--dry-run", "--json"], none);
  const transaction = {
    ...{ to: registry, value: "0" },
    data: encodeFunctionData({ abi: identityRegistryAbi, functionName: "freeze", args: [holder.address] }),
  };
  expect(JSON.parse(planned.out)).toMatchObject({ step: "send", by: guardian.address, transaction, sent: [] });
  const out = join(folder, "batch.json");
  const saved = await identity(["freeze", holder.address, "--export", "safe", "--out", out], none);
  expect(saved).toMatchObject({ code: 0, out: expect.stringContaining(`Saved ${out}`) });
  expect(JSON.parse(await readFile(out, "utf8"))).toMatchObject({
    chainId: String(CHAIN),
    transactions: [{ to: registry, data: transaction.data }],
  });
  expect(await block()).toBe(head);
  await identity(["freeze", holder.address]);
  const unfreezing = await identity(["unfreeze", holder.address, "--dry-run", "--json"], none);
  expect(JSON.parse(unfreezing.out)).toMatchObject({
    ...{ step: "schedule", by: owner.address, delay_seconds: OWNER_DELAY, transaction: { to: manager } },
  });
});

it("aqua identity freeze names a missing role, key or record in one line, and changes nothing", async () => {
  const head = await block();
  const wrong = async (args: string[], words: string, change: Record<string, string | undefined> = {}) =>
    expect(await identity(args, change)).toMatchObject({ code: 1, error: expect.stringContaining(words) });
  await wrong(
    ["freeze", holder.address],
    `${stranger.address} does not hold the role of the guardian, ${guardian.address} does; use that account's key`,
    { GUARDIAN_PRIVATE_KEY: keyOf("77") },
  );
  await wrong(
    ["freeze", holder.address],
    "GUARDIAN_PRIVATE_KEY or GUARDIAN_KEYSTORE must be set to the key of the guardian",
    {
      GUARDIAN_PRIVATE_KEY: undefined,
    },
  );
  await wrong(["freeze", stranger.address], `${stranger.address} has no record on chain ${CHAIN}`);
  await wrong(["freeze", "0x12"], "0x12 is not the address of a wallet");
  await wrong(["freeze", holder.address, "--from", owner.address], `is the key of ${guardian.address}, not of`);
  expect(await block()).toBe(head);
});
