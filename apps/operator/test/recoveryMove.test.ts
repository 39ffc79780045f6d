import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
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
  stringToHex,
  toHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Anvil, passTime, putToken, sendAs, startAnvil, through } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { account, TOKEN, validConfig } from "./support/config.ts";
import { deployed } from "./support/deployed.ts";

const CHAIN = 4252;
const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const ATTESTER = keyOf("51");
const of = (byte: string) => privateKeyToAccount(keyOf(byte));
const [deployer, attester, lost, spare] = [of("42"), of("51"), of("61"), of("62")];
const treasurer = account(5);
const HOURS_72 = 72 * 3_600;
const dollars = (whole: number) => BigInt(whole) * 1_000_000n;

let chain: Anvil;
let folder: string;
let [registry, vault, term, queue]: [Address, Address, Address, Address] = ["0x", "0x", "0x", "0x"];
let ready: Hex;

const clientOf = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });
const act = (from: Address, to: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
  sendAs(chain, from, to, encodeFunctionData({ abi, functionName, args } as never));

async function bind(wallet: PrivateKeyAccount): Promise<void> {
  const subject = BigInt(`0x${"ab".repeat(16)}`);
  const signature = await wallet.signMessage({ message: `Link.\nRequest ID: 0x${"ab".repeat(16)}` });
  const args = [wallet.address, subject, 4_000_000_000n, 250, 1, stringToHex("Link."), signature];
  await act(attester.address, registry, identityRegistryAbi as Abi, "bind", args);
}

/** Money for the holder, which the product may take. */
async function endow(holder: Address, product: Address, units: bigint): Promise<void> {
  const slot = keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [holder, 0n]));
  await chain.rpc("anvil_setStorageAt", [TOKEN, slot, toHex(units, { size: 32 })]);
  await act(holder, TOKEN, erc20Abi as Abi, "approve", [product, units]);
}

beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  folder = await mkdtemp(join(tmpdir(), "aqua-recovery-move-"));
  await putToken(chain, TOKEN, "USDC");
  await chain.rpc("anvil_setBalance", [deployer.address, "0x8ac7230489e80000"]);
  const valid = validConfig(CHAIN);
  const content = { ...valid, roles: { ...valid.roles, attester: attester.address } };
  const deployment = await deployed(chain, { folder, deployer, content });
  registry = deployment.identity_registry as Address;
  const listing = { address: deployment.product_registry as Address, abi: productRegistryAbi } as const;
  const addressOf = async (shortId: string) =>
    (await clientOf().readContract({ ...listing, functionName: "productOf", args: [shortId] }))[0];
  [vault, term] = [await addressOf("sahel-solar"), await addressOf("delta-wind")];
  ({ queue } = await clientOf().readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" }));
  await bind(lost);
  await bind(spare);
  await endow(lost.address, vault, dollars(1_000));
  await act(lost.address, vault, demandVaultAbi as Abi, "deposit", [dollars(1_000), lost.address]);
  const shares = { address: vault, abi: demandVaultAbi, functionName: "balanceOf", args: [lost.address] } as const;
  const quarter = (await clientOf().readContract(shares)) / 4n;
  await act(lost.address, queue, redemptionQueueAbi as Abi, "requestRedeem", [quarter, lost.address, lost.address]);
  await endow(treasurer, term, dollars(100));
  await act(treasurer, term, termDepositAbi as Abi, "fundInterest", [dollars(100)]);
  await endow(lost.address, term, dollars(500));
  for (const principal of [200, 300])
    await act(lost.address, term, termDepositAbi as Abi, "open", [0n, dollars(principal), 4_000_000_000n]);
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

const recovery = (args: readonly string[], rpc = chain.url, change: Record<string, string | undefined> = {}) =>
  runAqua(["recovery", ...args, "--chain", String(CHAIN), "--rpc", rpc, "--deployments", folder], {
    ATTESTER_PRIVATE_KEY: ATTESTER,
    ...change,
  });
const move = (args: readonly string[] = [], rpc = chain.url) => recovery(["move", "--old", lost.address, ...args], rpc);
const block = () => chain.rpc<Hex>("eth_blockNumber");

async function propose(): Promise<void> {
  const line = `\nRecover to this wallet from ${lost.address.toLowerCase()}.`;
  const signature = await spare.signMessage({ message: `Now.${line}\nRequest ID: 0x${"ab".repeat(16)}` });
  const args = [lost.address, spare.address, stringToHex("Now."), "0x", signature];
  await act(attester.address, registry, identityRegistryAbi as Abi, "proposeRecovery", args);
}
async function due(): Promise<void> {
  await propose();
  await passTime(chain, HOURS_72);
}

const holdings = [
  { product: "sahel-solar", what: "shares", text: "750.000000000000 shares" },
  {
    product: "sahel-solar",
    what: "places",
    text: expect.stringMatching(/^250\.0+ shares wait in the queue, 0\.0+ can/),
  },
  { product: "delta-wind", what: "receipts", text: "receipts #1, #2 with a principal of 500.000000 USDC" },
];

it("aqua recovery move executes a due recovery and moves shares, requests and receipts of every product", async () => {
  await due();
  const { code, out, error } = await move();
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(out).toContain(`New wallet  ${spare.address}, once the recovery is executed`);
  expect(out.match(/^Sent: .*$/gm)).toHaveLength(4);
  expect(out).toMatch(/\nPRODUCT +THE NEW WALLET HOLDS\n/);
  expect(out).not.toContain("STILL IN THE OLD WALLET");
  const again = JSON.parse((await move(["--json"])).out);
  expect(again).toMatchObject({ from: lost.address, to: spare.address, holdings: [], transactions: [], sent: [] });
  const owner = { address: term, abi: termDepositAbi, functionName: "balanceOf", args: [spare.address] } as const;
  expect(await clientOf().readContract(owner)).toBe(2n);
});

it("aqua recovery move shows holdings and calls in a dry run and in a Safe's batch, and sends nothing", async () => {
  await due();
  const head = await block();
  const planned = JSON.parse((await move(["--dry-run", "--json"])).out);
  expect(planned.holdings).toMatchObject(holdings);
  expect(planned).toMatchObject({ transactions: { length: 4 }, sent: [], file: null });
  expect(planned.transactions.map(({ to }: { to: Address }) => to)).toEqual([registry, vault, queue, term]);
  const out = join(folder, "batch.json");
  expect(await move(["--export", "safe", "--out", out])).toMatchObject({ code: 0, error: "" });
  expect(JSON.parse(await readFile(out, "utf8")).transactions).toMatchObject(planned.transactions);
  expect(await block()).toBe(head);
});

it("aqua recovery move goes on after an interruption and skips what is done", async () => {
  await due();
  let sends = 0;
  const broken = await through(
    chain,
    (call, answer) => {
      const isSend = call.includes("eth_sendRawTransaction");
      if (isSend) sends++;
      const refusal = { jsonrpc: "2.0", id: JSON.parse(call).id, error: { code: -32_000, message: "out of order" } };
      return isSend && sends > 2 ? JSON.stringify(refusal) : answer();
    },
    (rpc) => move([], rpc),
  );
  expect(broken.code).toBe(1);
  expect(broken.error).toMatch(/^aqua: "move from sahel-solar: .*run the command again for what is left\n$/);
  expect(broken.out).toMatch(/STILL IN THE OLD WALLET\n[\s\S]*queue[\s\S]*receipts #1, #2/);
  const rest = JSON.parse((await move(["--json"])).out);
  expect(rest.holdings).toMatchObject(holdings.slice(1));
  expect(rest).toMatchObject({ sent: { length: 2 }, left: [] });
  expect(rest.now_held).toMatchObject(holdings);
});

it("aqua recovery move refuses a wallet that is not replaced, and one whose recovery is vetoed or not yet due", async () => {
  const refused = async (words: string) => {
    const head = await block();
    expect(await move()).toEqual({ code: 1, out: "", error: expect.stringContaining(words) });
    expect(await block()).toBe(head);
  };
  await refused("is not replaced, and no recovery is proposed");
  await propose();
  await refused("until then the wallet can veto it");
  await act(lost.address, registry, identityRegistryAbi as Abi, "vetoRecovery", []);
  await refused("is not replaced, and no recovery is proposed");
});
