import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { roleIds } from "@aqua/contracts/deploy/roles";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Abi, AbiFunction, AbiParameter, Address, Hex } from "viem";
import {
  BaseError,
  createPublicClient,
  encodeFunctionData,
  http,
  type PublicClient,
  RpcRequestError,
  toFunctionSelector,
  zeroAddress,
} from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import { devnetRoles, roleAccount } from "../src/accounts.ts";
import { type Chain, startChain } from "../src/chain.ts";
import { type DeployedWorld, deployContracts } from "../src/deploy.ts";
import { EDITOR_ROLE, OWNER_DELAY } from "../src/roles.ts";
import { Sender } from "../src/sender.ts";
import { freePort } from "./support/port.ts";

const GENESIS = 1_700_000_000;
const STRANGER = "0x00000000000000000000000000000000000057a6";
const UNAUTHORIZED = toFunctionSelector("AccessManagedUnauthorized(address)");
/** Errors with which functions that one contract calls on another reject a stranger. */
const partners = new Map<Hex, string>([
  [toFunctionSelector("NotTheQueue(address)"), "the queue"],
  [toFunctionSelector("NotTheVault(address)"), "the vault"],
]);
const roleNames = new Map<bigint, string>([
  ...Object.entries(roleIds).map(([name, id]) => [id, name] as const),
  [EDITOR_ROLE, "editor"],
]);
/** Functions that the local chain grants to a different role than docs/contracts.md. */
const onLocalChain = new Map([["ProductRegistry.setMetadata", "editor"]]);

/** Roles of the table that the AccessManager grants. */
const ROLES = new Set(roleNames.values());

interface Target {
  contract: string;
  abi: Abi;
  address: Address;
}

let chain: Chain;
let client: PublicClient;
let world: DeployedWorld;
let targets: Target[];

beforeAll(async () => {
  chain = await startChain({ port: await freePort(), blockTime: "manual", genesisTime: GENESIS });
  client = createPublicClient({ transport: http(chain.url, { retryCount: 0 }), cacheTime: 0 });
  const sender = await Sender.on(chain.rpc);
  world = await deployContracts(sender, GENESIS + 12, { ownerDelay: OWNER_DELAY });
  const { identityRegistry, productRegistry, telemetryAnchor } = world.addresses;
  const all = (contract: string, abi: Abi, products: ReadonlyMap<string, Address>) =>
    [...products.values()].map((address) => ({ contract, abi, address }));
  targets = [
    { contract: "IdentityRegistry", abi: identityRegistryAbi, address: identityRegistry },
    { contract: "ProductRegistry", abi: productRegistryAbi, address: productRegistry },
    { contract: "TelemetryAnchor", abi: telemetryAnchorAbi, address: telemetryAnchor },
    ...all("DemandVault", demandVaultAbi, world.vaults),
    ...all("RedemptionQueue", redemptionQueueAbi, world.queues),
    ...all("TermDeposit", termDepositAbi, world.termDeposits),
  ];
});
afterAll(() => chain?.stop());

/** The rows of the table under "Roles": who may call each function, by `contract.function`. */
function roleTable(): Map<string, string> {
  const file = fileURLToPath(new URL("../../docs/contracts.md", import.meta.url));
  const section = /\n## Roles\n([\s\S]*?)\n## /.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  const table = new Map<string, string>();
  for (const line of section.split("\n").filter((row) => row.startsWith("| ") && row.includes("`"))) {
    const [, who = "", contract = "", calls = ""] = line.split("|").map((cell) => cell.trim());
    for (const name of calls.split(",").map((call) => call.trim().replaceAll("`", ""))) {
      const key = `${contract.replaceAll("`", "")}.${name}`;
      expect(table.has(key), `${key} is in two rows of docs/contracts.md`).toBe(false);
      table.set(key, onLocalChain.get(key) ?? who);
    }
  }
  return table;
}

/** The emptiest value of a type. */
function emptyOf(parameter: AbiParameter): unknown {
  if (parameter.type.endsWith("[]")) return [];
  if (parameter.type === "tuple") {
    const { components } = parameter as { components: readonly AbiParameter[] };
    return Object.fromEntries(components.map((component) => [component.name, emptyOf(component)]));
  }
  if (parameter.type === "address") return zeroAddress;
  if (parameter.type === "bool") return false;
  if (parameter.type === "string") return "";
  if (parameter.type.startsWith("bytes")) return `0x${"00".repeat(Number(parameter.type.slice(5) || 0))}`;
  return /^u?int(8|16|24|32|40|48)$/.test(parameter.type) ? 0 : 0n;
}

function changing(abi: Abi): AbiFunction[] {
  return abi.filter((item) => item.type === "function" && /payable/.test(item.stateMutability)) as AbiFunction[];
}

/** Returns the error data of a stranger's call with empty arguments; null when it succeeds. */
async function refusalOf(target: Target, item: AbiFunction): Promise<Hex | null> {
  const data = encodeFunctionData({ abi: [item], args: item.inputs.map(emptyOf) });
  try {
    await client.call({ account: STRANGER, to: target.address, data });
    return null;
  } catch (error) {
    const refusal = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null;
    if (!(refusal instanceof RpcRequestError) || typeof refusal.data !== "string") throw error;
    return refusal.data as Hex;
  }
}

async function whoMayCall(target: Target, item: AbiFunction): Promise<string> {
  const selector = (await refusalOf(target, item))?.slice(0, 10);
  const partner = partners.get(selector as Hex);
  if (partner) return partner;
  if (selector !== UNAUTHORIZED) return "anyone";
  const role = await client.readContract({
    address: world.addresses.accessManager,
    abi: accessManagerAbi,
    functionName: "getTargetFunctionRole",
    args: [target.address, toFunctionSelector(item)],
  });
  return roleNames.get(role) ?? `role ${role}`;
}

it("the deployment assigns every function that changes state to its role in docs/contracts.md", async () => {
  const table = roleTable();
  const seen = new Set<string>();
  for (const target of targets) {
    for (const item of changing(target.abi)) {
      const key = `${target.contract}.${item.name}`;
      expect(await whoMayCall(target, item), `${key} by the table under "Roles" in docs/contracts.md`).toBe(
        table.get(key),
      );
      seen.add(key);
    }
  }
  expect(
    [...table.keys()].filter((key) => !seen.has(key)),
    "rows of functions that do not exist",
  ).toEqual([]);
});

it("the deployment allows each role's account only its own functions, the owner's after two days", async () => {
  const table = roleTable();
  for (const target of targets) {
    for (const item of changing(target.abi)) {
      const role = table.get(`${target.contract}.${item.name}`) ?? "";
      if (!ROLES.has(role)) continue;
      for (const account of devnetRoles) {
        const [immediate, delay] = await client.readContract({
          address: world.addresses.accessManager,
          abi: accessManagerAbi,
          functionName: "canCall",
          args: [roleAccount(account).address, target.address, toFunctionSelector(item)],
        });
        const own = account === (role === "admin" ? "owner" : role);
        const announced = own && account === "owner";
        expect({ account, call: item.name, immediate, delay }).toEqual({
          account,
          call: item.name,
          immediate: own && !announced,
          delay: announced ? 2 * 86_400 : 0,
        });
      }
    }
  }
});

it("the deployment leaves the deployer with no role and makes the owner the only admin", async () => {
  for (const account of devnetRoles) {
    for (const [id, name] of roleNames) {
      const [holds] = await client.readContract({
        address: world.addresses.accessManager,
        abi: accessManagerAbi,
        functionName: "hasRole",
        args: [id, roleAccount(account).address],
      });
      expect({ account, name, holds }).toEqual({
        account,
        name,
        holds: account === (name === "admin" ? "owner" : name),
      });
    }
  }
});

it("the deployment lets the guardian cancel calls that a holder of another role has scheduled", async () => {
  for (const [role, id] of Object.entries(roleIds)) {
    const guardian = await client.readContract({
      address: world.addresses.accessManager,
      abi: accessManagerAbi,
      functionName: "getRoleGuardian",
      args: [id],
    });
    expect({ role, guardian }).toEqual({
      role,
      guardian: role === "admin" || role === "guardian" ? roleIds.admin : roleIds.guardian,
    });
  }
});
