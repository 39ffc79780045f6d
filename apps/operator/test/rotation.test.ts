import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { roleIds } from "@aqua/contracts/deploy/roles";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { type Deployment, deployment } from "@aqua/sdk/deployment";
import {
  type Abi,
  type Address,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Anvil, putToken, sendAs, startAnvil } from "./support/anvil.ts";
import { runAqua } from "./support/aqua.ts";
import { account, demandProduct, OWNER_DELAY, TOKEN, validConfig, writeConfig } from "./support/config.ts";
import { tasksOf } from "./support/ownerTasks.ts";

const KEY: Hex = `0x${"42".repeat(32)}`;
const CHAIN = 4244;
const OLD = account(4);
const NEW = account(14);
const OWNER = account(1);

let chain: Anvil;
let fresh: Hex;
let folder: string;
let out: string;
beforeAll(async () => {
  chain = await startAnvil(CHAIN);
  await chain.rpc("anvil_setBalance", [privateKeyToAccount(KEY).address, "0xde0b6b3a7640000"]);
  await putToken(chain, TOKEN, "USDC");
  folder = await mkdtemp(join(tmpdir(), "aqua-rotation-"));
  fresh = await chain.rpc("evm_snapshot");
});
afterAll(async () => {
  await chain?.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await chain.rpc("evm_revert", [fresh]);
  fresh = await chain.rpc("evm_snapshot");
  out = await mkdtemp(join(folder, "out-"));
});

async function aqua(config: object, args: string[] = ["--send"]) {
  const path = await writeConfig(out, "config", config);
  return runAqua(["deploy", "--config", path, "--rpc", chain.url, "--out", join(out, "deployments"), ...args], {
    DEPLOYER_KEY: KEY,
  });
}

type Roles = ReturnType<typeof validConfig>["roles"];
function configWith(delay: number, change: Partial<Roles> = {}) {
  const { roles, ...others } = validConfig(CHAIN);
  const owner = { address: OWNER, delay_seconds: delay };
  return { ...others, products: [demandProduct], roles: { ...roles, owner, ...change } };
}

const contracts = async (): Promise<Deployment> =>
  deployment.parse(JSON.parse(await readFile(join(out, "deployments", `${CHAIN}.json`), "utf8")));
const client = () => createPublicClient({ transport: http(chain.url), cacheTime: 0 });

/** Whether the registry accepts an account as the attester: it checks the role before it looks for the wallet. */
async function attestation(attester: Address): Promise<"accepted" | "refused"> {
  const address = (await contracts()).identity_registry as Address;
  const call = { address, abi: identityRegistryAbi, functionName: "revoke", args: [account(30)] } as const;
  const refusal = await client()
    .simulateContract({ ...call, account: attester })
    .catch((error: BaseError) => error.walk((cause) => cause instanceof ContractFunctionRevertedError));
  const name = (refusal as ContractFunctionRevertedError).data?.errorName;
  expect(["UnknownWallet", "AccessManagedUnauthorized"]).toContain(name);
  return name === "UnknownWallet" ? "accepted" : "refused";
}

async function asOwner(owner: Address, functionName: string, args: readonly unknown[]) {
  const { access_manager } = await contracts();
  await sendAs(
    chain,
    owner,
    access_manager,
    encodeFunctionData({ abi: accessManagerAbi as Abi, functionName, args } as never),
  );
}

describe("aqua deploy, with another holder of a role", () => {
  it("revokes the role of the old holder once the new one has it, where the owner has no delay", async () => {
    expect((await aqua(configWith(0))).code).toBe(0);
    expect([await attestation(OLD), await attestation(NEW)]).toEqual(["accepted", "refused"]);

    const rotated = configWith(0, { attester: NEW });
    const first = await aqua(rotated);
    expect(first.code).toBe(1);
    expect(first.error).toBe(
      `aqua: ${OLD} holds the role attester, which is ${NEW}'s: do what is left to the owner, then run the command again\n`,
    );
    const [grant, revoke, ...others] = tasksOf(first.out);
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ by: OWNER, what: `make ${NEW} the attester`, schedule: undefined });
    // The revocation is hidden until then, because nobody would hold the role if it came first.
    expect(revoke).toMatchObject({ by: OWNER, what: `take the role attester from ${OLD}`, data: undefined });
    expect(first.out).toContain(`not before ${NEW} is the attester; run this command again then`);
    await sendAs(chain, OWNER, grant?.to, grant?.data);
    expect([await attestation(OLD), await attestation(NEW)]).toEqual(["accepted", "accepted"]);

    const second = await aqua(rotated);
    expect(second.code).toBe(1);
    const [last, ...none] = tasksOf(second.out);
    expect(none).toEqual([]);
    expect(last).toMatchObject({ what: `take the role attester from ${OLD}`, schedule: undefined });
    await sendAs(chain, OWNER, last?.to, last?.data);
    expect([await attestation(OLD), await attestation(NEW)]).toEqual(["refused", "accepted"]);

    const third = await aqua(rotated);
    expect(third).toMatchObject({ code: 0, error: "" });
    expect(tasksOf(third.out)).toEqual([]);
  });

  it("lets the owner schedule both together, and shows the second call once the first has had its effect", async () => {
    expect((await aqua(configWith(OWNER_DELAY))).code).toBe(0);
    const rotated = configWith(OWNER_DELAY, { attester: NEW });
    const manager = (await contracts()).access_manager;
    const planned = tasksOf((await aqua(rotated)).out);
    expect(planned.map(({ what, data }) => [what, data !== undefined])).toEqual([
      [`make ${NEW} the attester`, true],
      [`take the role attester from ${OLD}`, false],
    ]);
    for (const { schedule } of planned) await sendAs(chain, OWNER, manager, schedule);

    const waiting = await aqua(rotated);
    expect(waiting.code).toBe(1);
    expect(waiting.out.match(/ {2}scheduled, may be done from 20\S+Z to 20\S+Z\n/g)).toHaveLength(2);
    expect(tasksOf(waiting.out).map(({ schedule }) => schedule)).toEqual([undefined, undefined]);

    await chain.rpc("evm_increaseTime", [OWNER_DELAY + 3600]);
    const [grant] = tasksOf(waiting.out);
    await sendAs(chain, OWNER, grant?.to, grant?.data);
    expect([await attestation(OLD), await attestation(NEW)]).toEqual(["accepted", "accepted"]);
    const granted = await aqua(rotated);
    expect(granted.code).toBe(1);
    const [revoke, ...none] = tasksOf(granted.out);
    expect([none, revoke?.schedule]).toEqual([[], undefined]);
    await sendAs(chain, OWNER, revoke?.to, revoke?.data);
    expect([await attestation(OLD), await attestation(NEW)]).toEqual(["refused", "accepted"]);
    expect(await aqua(rotated)).toMatchObject({ code: 0, error: "" });
  });

  it("transfers the owner's and the admin's role to a new owner, who revokes them from the former one", async () => {
    expect((await aqua(configWith(0))).code).toBe(0);
    const heir = account(15);
    const rotated = configWith(0, { owner: { address: heir, delay_seconds: OWNER_DELAY } });
    const planned = tasksOf((await aqua(rotated)).out);
    expect(planned.map(({ by, what, data }) => [by, what, data !== undefined])).toEqual([
      [OWNER, `make ${heir} the owner, with a delay of ${OWNER_DELAY} s`, true],
      [OWNER, `make the owner admin, with a delay of ${OWNER_DELAY} s`, true],
      [OWNER, `take the role owner from ${OWNER}`, false],
      [OWNER, `take the role admin from ${OWNER}`, false],
    ]);
    for (const { to, data } of planned.slice(0, 2)) await sendAs(chain, OWNER, to, data);
    const taken = tasksOf((await aqua(rotated)).out);
    const manager = (await contracts()).access_manager;
    expect(taken.map(({ by, what }) => [by, what])).toEqual([
      [heir, `take the role owner from ${OWNER}`],
      [heir, `take the role admin from ${OWNER}`],
    ]);
    for (const { schedule } of taken) await sendAs(chain, heir, manager, schedule);
    await chain.rpc("evm_increaseTime", [OWNER_DELAY + 3600]);
    for (const { to, data } of taken) await sendAs(chain, heir, to, data);
    expect(await aqua(rotated)).toMatchObject({ code: 0, error: "" });
  });

  it("fails at the end while a role has no holder, as when the old holder is gone before the new one is named", async () => {
    expect((await aqua(configWith(0))).code).toBe(0);
    await asOwner(OWNER, "revokeRole", [roleIds.attester, OLD]);
    const rotated = configWith(0, { attester: NEW });
    const found = await aqua(rotated);
    expect(found).toMatchObject({
      code: 1,
      error: `aqua: no account holds the role attester, which is ${NEW}'s: do what is left to the owner, then run the command again\n`,
    });
    const [grant, ...none] = tasksOf(found.out);
    expect([grant?.what, none]).toEqual([`make ${NEW} the attester`, []]);
    await sendAs(chain, OWNER, grant?.to, grant?.data);
    expect(await attestation(NEW)).toBe("accepted");
    expect(await aqua(rotated)).toMatchObject({ code: 0, error: "" });
  });

  it("fails at the end while an account holds a role that the configuration does not name", async () => {
    const config = configWith(0);
    expect((await aqua(config)).code).toBe(0);
    const stranger = account(16);
    await asOwner(OWNER, "grantRole", [roleIds.reporter, stranger, 0]);
    await asOwner(OWNER, "grantRole", [42n, stranger, 0]);
    const dry = await aqua(config, []);
    expect(dry).toMatchObject({ code: 0, error: "" });
    expect(dry.out).toContain("owner  take the roles from those whom the configuration does not name");
    const found = await aqua(config);
    expect(found).toMatchObject({
      code: 1,
      error: `aqua: ${stranger} holds the role reporter, which is ${account(3)}'s; ${stranger} holds the role number 42, which the configuration does not have: do what is left to the owner, then run the command again\n`,
    });
    for (const { to, data } of tasksOf(found.out)) await sendAs(chain, OWNER, to, data);
    expect(await aqua(config)).toMatchObject({ code: 0, error: "" });
    // A holder who renounced a role no longer has it, although the log of grants still lists it.
    await asOwner(OWNER, "grantRole", [roleIds.reporter, stranger, 0]);
    await asOwner(stranger, "renounceRole", [roleIds.reporter, stranger]);
    expect(await aqua(config)).toMatchObject({ code: 0, error: "" });
  });
});
