import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Address, encodeFunctionData, type Hex, stringToHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { partsOf } from "../src/recoveryMessage.ts";
import { type Anvil, sendAs, startAnvil, through } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { validConfig } from "./support/config.ts";
import { deployed } from "./support/deployed.ts";
import { keystoreOf, PASSPHRASE, secretFile } from "./support/keystore.ts";

const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const ATTESTER = keyOf("51");
const deployer = privateKeyToAccount(keyOf("42"));
const attester = privateKeyToAccount(ATTESTER);
const [lost, spare, foreign, unknown] = ["61", "62", "63", "64"].map((byte) => privateKeyToAccount(keyOf(byte))) as [
  ...[PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount, PrivateKeyAccount],
];
const CHAIN = 4242;
const SUBJECT = 0xab12n;
const HOURS_72 = 72 * 3600;

let chain: Anvil;
let folder: string;
let registry: Address;
let bound: Hex;

async function bind(wallet: PrivateKeyAccount, subject: bigint): Promise<void> {
  const line = `\nRequest ID: 0x${subject.toString(16).padStart(32, "0")}`;
  const signature = await wallet.signMessage({ message: `Link.${line}` });
  const args = [wallet.address, subject, 4_000_000_000n, 250, 1, stringToHex("Link."), signature] as const;
  await sendAs(
    chain,
    attester.address,
    registry,
    encodeFunctionData({ abi: identityRegistryAbi, functionName: "bind", args }),
  );
}

beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  folder = await mkdtemp(join(tmpdir(), "aqua-recovery-"));
  await chain.rpc("anvil_setBalance", [deployer.address, "0xde0b6b3a7640000"]);
  const valid = validConfig(CHAIN);
  const roles = { ...valid.roles, attester: attester.address };
  const content = { ...valid, roles, products: [] };
  registry = (await deployed(chain, { folder, deployer, content })).identity_registry as Address;
  await bind(lost, SUBJECT);
  await bind(spare, SUBJECT);
  await bind(foreign, 0xcdn);
  bound = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await chain.rpc("evm_revert", [bound]);
  bound = await chain.rpc("evm_snapshot");
});

async function aqua(args: string[], change: Record<string, string | undefined> = {}, rpc = chain.url) {
  return runAqua(["recovery", ...args, "--chain", String(CHAIN), "--rpc", rpc, "--deployments", folder], {
    ATTESTER_PRIVATE_KEY: ATTESTER,
    AQUA_URL: "https://aqua.example",
    ...change,
  });
}

/** A file with the text that the new wallet signs, and the signature. */
async function signed(wallet: PrivateKeyAccount = spare) {
  const { out: text } = await aqua(["message", "--old", lost.address, "--new", spare.address]);
  const file = join(folder, "message.txt");
  await writeFile(file, text);
  return { file, text, signature: await wallet.signMessage({ message: text }) };
}

it("aqua recovery replaces a lost wallet after the 72 hours in which that wallet can veto", async () => {
  const { file, signature } = await signed();
  // A Ledger signs with v 0 or 1, which the chain rejects.
  const ofLedger = `${signature.slice(0, 130)}0${Number(`0x${signature.slice(130)}`) - 27}`;
  const proposed = await aqua(["propose", "--message", file, "--signature", ofLedger]);
  expect(proposed).toMatchObject({ code: 0, error: "" });
  expect((await aqua(["show", "--old", lost.address])).out).toMatch(
    new RegExp(
      `^Wallet {5}${lost.address}, verified\nRecovery {3}to ${spare.address}, verified\n +from .* UTC to .* UTC\n$`,
    ),
  );
  expect(JSON.parse((await aqua(["show", "--old", lost.address, "--json"])).out)).toEqual({
    wallet: lost.address,
    state: "verified",
    successor: null,
    recovery: {
      wallet: spare.address,
      state: "verified",
      executable_at: expect.any(Number),
      expires_at: expect.any(Number),
    },
  });
  expect((await aqua(["propose", "--message", file, "--signature", signature])).error).toContain("is proposed already");
  expect((await aqua(["execute", "--old", lost.address])).error).toMatch(/it can be executed from .* UTC on/);
  await chain.rpc("evm_increaseTime", [HOURS_72 + 3600]);
  await chain.rpc("anvil_mine", ["0x1"]);
  expect(await aqua(["execute", "--old", lost.address])).toMatchObject({
    code: 0,
    out: expect.stringContaining(`${spare.address} replaces ${lost.address}`),
  });
  expect((await aqua(["show", "--old", lost.address])).out).toMatch(
    /, retired\nSuccessor {2}0x.*, verified\nRecovery {3}none/,
  );
});

it("aqua recovery withdraws a proposal, and reports that a veto has ended a proposal", async () => {
  const proposal = async () => {
    const { file, signature } = await signed();
    return ["propose", "--message", file, "--signature", signature];
  };
  const first = await proposal();
  await aqua(first);
  expect(await aqua(["cancel", "--old", lost.address])).toMatchObject({ code: 0, error: "" });
  expect((await aqua(["cancel", "--old", lost.address])).error).toContain("no recovery is proposed");
  expect((await aqua(first)).error).toContain("signed this message before, and it was used; write another one");
  expect((await aqua(await proposal())).code).toBe(0);
  await sendAs(
    chain,
    lost.address,
    registry,
    encodeFunctionData({ abi: identityRegistryAbi, functionName: "vetoRecovery" }),
  );
  expect((await aqua(["execute", "--old", lost.address])).error).toContain("it was vetoed, cancelled or executed");
});

it("aqua recovery names a transaction that failed on chain, and the next command to run", async () => {
  const { file, signature } = await signed();
  const failed = await through(
    chain,
    async (call, answer) =>
      call.includes("eth_getTransactionReceipt")
        ? (await answer()).replace('"status":"0x1"', '"status":"0x0"')
        : answer(),
    (rpc) => aqua(["propose", "--message", file, "--signature", signature], {}, rpc),
  );
  expect([failed.error, failed.code]).toEqual([
    expect.stringMatching(
      /^aqua: the transaction 0x[0-9a-f]{64} failed on the chain and changed nothing; run the command again, which says why before it sends\n$/,
    ),
    1,
  ]);
});

it("aqua recovery --dry-run names each change, refuses what the chain would refuse, and sends nothing", async () => {
  const none = { ATTESTER_PRIVATE_KEY: undefined };
  const trial = async (args: string[], change: Record<string, string | undefined> = {}) => {
    const sent = await chain.rpc("eth_getTransactionCount", [attester.address, "latest"]);
    const answer = await aqua([...args, "--dry-run"], change);
    expect(await chain.rpc("eth_getTransactionCount", [attester.address, "latest"])).toBe(sent);
    return answer;
  };
  const ends = "Nothing was sent. Without --dry-run the command sends it.\n";
  const { file, signature } = await signed();
  const propose = ["propose", "--message", file, "--signature", signature];
  const execute = ["execute", "--old", lost.address];
  expect(await trial(propose, none)).toMatchObject({
    code: 1,
    error: expect.stringContaining("--from must name the account of the attester, or ATTESTER_PRIVATE_KEY or"),
  });
  expect((await trial([...propose, "--from", unknown.address], none)).error).toContain(
    `${unknown.address} does not hold the role of the attester`,
  );
  const proposal = `Now    ${lost.address}, verified; no recovery is proposed\nAfter  ${spare.address} is proposed to replace it; ${lost.address} can veto this for 72 hours\n`;
  expect(await trial([...propose, "--from", attester.address], none)).toEqual({
    ...{ code: 0, error: "" },
    out: `${proposal}Sender ${attester.address}\n\n${ends}`,
  });
  expect((await aqua(["show", "--old", lost.address])).out).toContain("none is proposed");
  expect(await aqua(propose)).toMatchObject({ code: 0 });
  expect((await trial(execute)).error).toMatch(/it can be executed from .* UTC on/);
  expect((await trial(["cancel", "--old", lost.address])).out).toContain(
    `After  no recovery is proposed; ${lost.address} is not replaced\n`,
  );
  await chain.rpc("evm_increaseTime", [HOURS_72 + 3600]);
  await chain.rpc("anvil_mine", ["0x1"]);
  expect(await trial([...execute, "--from", unknown.address], none)).toEqual({
    ...{ code: 0, error: "" },
    out: `Now    ${lost.address}, verified; ${spare.address}, verified, is proposed to replace it\nAfter  ${lost.address}, retired; ${spare.address} replaces it, and \`aqua recovery move\` moves the holdings\nSender ${unknown.address}\n\n${ends}`,
  });
  expect((await aqua(["show", "--old", lost.address])).out).toContain(`Recovery   to ${spare.address}, verified`);
});

it("aqua recovery writes exactly the text that the registry builds", async () => {
  const { text } = await signed();
  const { before, afterwards, subject } = partsOf(text);
  const line = `\nRecover to this wallet from ${lost.address.toLowerCase()}.`;
  expect(`${before}${line}${afterwards}\nRequest ID: ${subject}`).toBe(text);
  expect(before).toBe(`aqua.example wants you to sign in with your Ethereum account:\n${spare.address}\n`);
  expect(afterwards).toMatch(/^\n\nURI: https:\/\/aqua\.example\nVersion: 1\nChain ID: 4242\nNonce: /);
  const file = join(folder, "saved.txt");
  const args = ["message", "--old", lost.address, "--new", spare.address, "--out", file];
  expect((await aqua(args)).out).toContain(`Saved ${file}`);
  expect(partsOf(await readFile(file, "utf8")).newWallet).toBe(spare.address);
  expect((await aqua(args)).error).toContain("cannot be written: EEXIST");
});

it("aqua recovery signs with the attester's keystore, and refuses the one of another account", async () => {
  const { file, signature } = await signed();
  const propose = async (key: Hex) =>
    aqua(["propose", "--message", file, "--signature", signature], {
      ATTESTER_PRIVATE_KEY: undefined,
      ATTESTER_KEYSTORE: await secretFile(folder, "attester.json", keystoreOf(key)),
      ATTESTER_PASSPHRASE_FILE: await secretFile(folder, "passphrase", PASSPHRASE),
    });
  const stranger = privateKeyToAccount(keyOf("77")).address;
  expect(await propose(keyOf("77"))).toEqual({
    ...{ code: 1, out: "" },
    error: `aqua: ${stranger} does not hold the role of the attester; use the key of the account that does\n`,
  });
  expect(await propose(ATTESTER)).toMatchObject({ code: 0, error: "" });
});

it("aqua recovery explains an error in one line and proposes nothing", async () => {
  const { file, text, signature } = await signed();
  const altered = join(folder, "altered.txt");
  const proposal = (path: string, by = signature) => ["propose", "--message", path, "--signature", by];
  const wrong = async (args: string[], words: string, change: Record<string, string | undefined> = {}) => {
    expect(await aqua(args, change)).toEqual({ code: 1, out: "", error: expect.stringContaining(words) });
  };
  const message = (old: Address, next: Address) => ["message", "--old", old, "--new", next];
  await wrong(message(unknown.address, spare.address), `${unknown.address} has no record on chain`);
  await wrong(message(lost.address, foreign.address), `${foreign.address} must first be linked to the same account`);
  await wrong(["message", "--old", "0x1", "--new", spare.address], "--old must be the address of the old wallet");
  await wrong(proposal(join(folder, "none.txt")), "cannot be read: ENOENT");
  await wrong(["propose", "--message", file], "--signature must be 0x and hex digits");
  await wrong(proposal(file, (await signed(foreign)).signature), `${spare.address} has not signed this message`);
  await writeFile(file, text);
  await wrong(proposal(file), "the message is for aqua.example, but AQUA_URL is other.example", {
    AQUA_URL: "https://other.example",
  });
  await wrong(proposal(file), "does not hold the role of the attester", { ATTESTER_PRIVATE_KEY: keyOf("77") });
  await wrong(proposal(file), "ATTESTER_PRIVATE_KEY or ATTESTER_KEYSTORE must be set", {
    ATTESTER_PRIVATE_KEY: undefined,
  });
  const changes: [from: string | RegExp, to: string, words: string][] = [
    ["Chain ID: 4242", "Chain ID: 1", "the message is for chain 1"],
    [/Expiration Time: \d{4}/, "Expiration Time: 2020", "the message has expired"],
    ["Recover to", "Switch to", "differs from the text that `aqua recovery message` wrote"],
    [/Nonce: .*/, "Nonce: abcdefgh12", `${spare.address} has not signed this message`],
  ];
  for (const [from, to, words] of changes) {
    await writeFile(altered, text.replace(from, to));
    await wrong(proposal(altered), words);
  }
  await wrong(["execute", "--old", lost.address], "no recovery is proposed");
  expect(await aqua(["steal"])).toMatchObject({ code: 2, error: expect.stringContaining("See `aqua help recovery`") });
  expect((await aqua(["show", "--old", lost.address])).out).toContain("none is proposed");
});
