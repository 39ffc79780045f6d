import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeReading, readingHash, toHex, typedDigest } from "@aqua/sdk/proofs/reading";
import type { Address, Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isSignedBy } from "../../server/src/telemetry/signature.ts";
import { type Anvil, putToken, sendAs, startAnvil } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { account, demandProduct, OWNER_DELAY, TOKEN, validConfig, writeConfig } from "./support/config.ts";
import { type DeviceWorld, openDeviceWorld } from "./support/deviceWorld.ts";
import { tasksOf } from "./support/ownerTasks.ts";

const keyOf = (byte: string): Hex => `0x${byte.repeat(32)}`;
const addressOf = (key: Hex): Address => privateKeyToAccount(key).address;

describe("the drill for a reporter's lost key", () => {
  const CHAIN = 4253;
  const [deployerKey, oldKey, newKey] = [keyOf("42"), keyOf("81"), keyOf("8a")];
  let chain: Anvil;
  let folder: string;
  beforeAll(async () => {
    chain = await startAnvil(CHAIN);
    folder = await mkdtemp(join(tmpdir(), "aqua-drill-"));
    await putToken(chain, TOKEN, "USDC");
    for (const key of [deployerKey, oldKey, newKey])
      await chain.rpc("anvil_setBalance", [addressOf(key), "0x8ac7230489e80000"]);
  });
  afterAll(async () => {
    await chain?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const deploy = async (reporter: Address) => {
    const valid = validConfig(CHAIN);
    const content = { ...valid, products: [demandProduct], roles: { ...valid.roles, reporter } };
    const path = await writeConfig(folder, "my-chain", content);
    return runAqua(["deploy", "--config", path, "--rpc", chain.url, "--out", folder, "--send"], {
      DEPLOYER_KEY: deployerKey,
    });
  };
  const report = (key: Hex) =>
    runAqua(
      ["money", "report", "sahel-solar", "--nothing"].concat([
        "--chain",
        String(CHAIN),
        "--rpc",
        chain.url,
        "--deployments",
        folder,
      ]),
      { REPORTER_PRIVATE_KEY: key },
    );

  it("gives the role to a new key by the owner's acts, after which the contract refuses the old one", async () => {
    const asOwner = (data: string | undefined, to: string | undefined) => sendAs(chain, account(1), to, data);
    expect(await deploy(addressOf(oldKey))).toMatchObject({ code: 0, error: "" });
    await chain.rpc("evm_increaseTime", [3_600]);
    await chain.rpc("evm_mine");
    expect(await report(oldKey)).toMatchObject({ code: 0, error: "" });

    const first = await deploy(addressOf(newKey));
    expect(first.code).toBe(1);
    const managerAddress = /first to (0x\w{40})/.exec(first.out)?.[1];
    for (const { schedule } of tasksOf(first.out)) await asOwner(schedule, managerAddress);
    await chain.rpc("evm_increaseTime", [OWNER_DELAY]);
    await chain.rpc("evm_mine");
    const [grant] = tasksOf((await deploy(addressOf(newKey))).out);
    await asOwner(grant?.data, grant?.to);
    const [revoke] = tasksOf((await deploy(addressOf(newKey))).out);
    await asOwner(revoke?.data, revoke?.to);
    expect(await deploy(addressOf(newKey))).toMatchObject({ code: 0, error: "" });

    const refused = await report(oldKey);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain(`${addressOf(oldKey)} does not hold the role of the reporter`);
    expect(await report(newKey)).toMatchObject({ code: 0, error: "" });
  });
});

describe("the drill for a device's lost key", () => {
  const [oldDevice, newDevice] = [privateKeyToAccount(keyOf("91")), privateKeyToAccount(keyOf("92"))];
  let world: DeviceWorld;
  beforeAll(async () => {
    world = await openDeviceWorld();
  });
  afterAll(() => world?.stop());

  /** Whether the server's check accepts a reading that the account signs, by the key that the chain has in an hour. */
  async function isAccepted(signer: typeof oldDevice): Promise<boolean> {
    const [kind, x, y] = await world.heldLater("pump-1");
    const time = Date.now() + 3_600_000;
    const encoding = encodeReading({
      ...{ device: "pump-1", seq: 1, time, metric: "volume", value: 1n, exponent: 0 },
      prev: `0x${"0".repeat(64)}`,
    });
    const hash = readingHash(encoding);
    const signature = await signer.sign({ hash: toHex(typedDigest(hash)) });
    expect(kind).toBe(2);
    return isSignedBy({ kind: "secp256k1", x, y }, { encoding, hash: toHex(hash), signature });
  }

  it("rotates the key on chain, after which the server's check refuses the old one", async () => {
    const rotate = (...args: string[]) => world.aqua(["device", "rotate", "pump-1", ...args, ...world.onChain()]);
    expect(await rotate("--key", oldDevice.address, "--first")).toMatchObject({ code: 0, error: "" });
    expect([await isAccepted(oldDevice), await isAccepted(newDevice)]).toEqual([true, false]);
    expect(await rotate("--key", newDevice.address, "--in-seconds", "60")).toMatchObject({ code: 0, error: "" });
    expect([await isAccepted(oldDevice), await isAccepted(newDevice)]).toEqual([false, true]);
  });

  it("ends a stolen key by a revocation, and registers the next one with --first", async () => {
    const revoked = await world.aqua(["device", "revoke", "pump-1", ...world.onChain()]);
    expect(revoked).toMatchObject({ code: 0, error: "" });
    expect((await world.heldLater("pump-1"))[0]).toBe(0);
    const next = ["device", "rotate", "pump-1", "--key", oldDevice.address, "--first", ...world.onChain()];
    expect(await world.aqua(next)).toMatchObject({ code: 0, error: "" });
    expect(await isAccepted(newDevice)).toBe(false);
  });
});
