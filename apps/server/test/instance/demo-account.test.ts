import pino from "pino";
import { encodeAbiParameters, keccak256, parseAbiParameters } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoWallet } from "../../../../devnet/src/accounts.ts";
import { demoPerson, ensureDemoAccount } from "../../../../devnet/src/demoAccount.ts";
import { becomeVerified, clientOf, link, register } from "../../../../devnet/src/person.ts";
import { bindCall, subjectOf } from "../../../../devnet/src/seed/identity.ts";
import { Sender } from "../../../../devnet/src/sender.ts";
import { readConfig } from "../../src/config.ts";
import { type Instance, startInstance } from "../../src/instance.ts";
import { registryOf } from "../support/wallets/records.ts";
import { type LocalChain, openLocalChain } from "./local.ts";

const VERIFIED = 1;
let local: LocalChain;
let instance: Instance;
const ensure = () => ensureDemoAccount(instance.url, local.chain.rpc, local.deployed.addresses.identityRegistry);
beforeAll(async () => {
  local = await openLocalChain();
  // As in the seeded world, the chain has known the wallet for a long time.
  const subject = subjectOf(demoWallet().address);
  const sender = await Sender.on(local.chain.rpc);
  const { timestamp } = await local.chain.rpc.call<{ timestamp: string }>("eth_getBlockByNumber", ["latest", false]);
  const registry = local.deployed.addresses.identityRegistry;
  await sender.block([await bindCall(registry, demoWallet(), { time: Number(timestamp) })]);
  await sender.settle();
  const environment = {
    ...local.environment,
    DEMO_MODE: "1",
    DEMO_ACCOUNT: `${demoPerson.email}=${subject}`,
    IDENTITY_PROVIDER: "sandbox",
  };
  instance = await startInstance(readConfig(environment), pino({ level: "silent" }));
});
afterAll(async () => {
  await instance?.stop();
  await local?.remove();
});

it("the demo account can log in, and the chain knows its wallet", async () => {
  expect(await ensure()).toEqual(demoPerson);
  expect(await registryOf(local).statusOf(demoWallet().address)).toBe(VERIFIED);
  const { token } = await clientOf(instance.url).login(demoPerson);
  const info = await clientOf(instance.url, token).accountInfo();
  expect(info).toMatchObject({
    email: "demo@aqua.example",
    identity_status: "verified",
    country: "CH",
    wallets: [{ address: demoWallet().address, current: true, bindings: [{ state: "bound" }] }],
  });
});

it("the demo account is reused at the next start", async () => {
  expect(await ensure()).toEqual(demoPerson);
  // The seeded world bound the wallet once, and the account once.
  expect(await registryOf(local).heard(demoWallet().address)).toEqual(["Bound", "Bound"]);
});

it("the demo account's record is written again if the chain has lost it", async () => {
  const { rpc } = local.chain;
  const registry = local.deployed.addresses.identityRegistry;
  // The records are in the second storage slot: a wallet's record is at the hash of its address and the slot number.
  const key = keccak256(encodeAbiParameters(parseAbiParameters("address, uint256"), [demoWallet().address, 1n]));
  await rpc.call("anvil_setStorageAt", [registry, key, `0x${"00".repeat(32)}`]);
  expect(await registryOf(local).statusOf(demoWallet().address)).toBe(0);
  await ensure();
  await expect.poll(() => registryOf(local).statusOf(demoWallet().address)).toBe(VERIFIED);
});

it("the demo account retains what its user has changed", async () => {
  const { token } = await clientOf(instance.url).login(demoPerson);
  const other = privateKeyToAccount(generatePrivateKey());
  await link(clientOf(instance.url, token), other);
  expect(await ensure()).toEqual(demoPerson);
  const { wallets } = await clientOf(instance.url, token).accountInfo();
  expect(wallets[0]?.address).toBe(other.address);
  await link(clientOf(instance.url, token), demoWallet());
});

it("any visitor of the demo can go from a code to a bound wallet in the same way", async () => {
  const person = { ...demoPerson, email: "someone@aqua.example", name: "Ada Lovelace" };
  const wallet = privateKeyToAccount(generatePrivateKey());
  const { token } = await register(instance.url, person);
  const info = await becomeVerified({ url: instance.url, token, person, wallet });
  expect(info.wallets[0]?.bindings[0]?.hash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await registryOf(local).statusOf(wallet.address)).toBe(VERIFIED);
  const mails = await clientOf(instance.url).outbox({ to: person.email });
  expect(mails.length).toBe(3);
});

it("the demo account is not changed after its password was changed", async () => {
  const client = clientOf(instance.url);
  await client.forgetPassword({ email: demoPerson.email });
  const codes = async () =>
    (await client.outbox({ to: demoPerson.email })).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).filter(Boolean);
  // The first code is from the registration.
  await expect.poll(async () => (await codes()).length).toBe(2);
  const code = (await codes())[0] ?? "";
  const { ticket } = await client.verifyEmail({ email: demoPerson.email, code, purpose: "reset_password" });
  await client.resetPassword({ email: demoPerson.email, ticket, password: "another long secret" });
  expect(await ensure()).toBeNull();
});
