import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { type Deployment, deployment as deploymentSchema } from "@aqua/sdk/deployment";
import type { Abi, Address, Hex } from "viem";
import { encodeFunctionData, getContractAddress, toFunctionSelector, toHex } from "viem/utils";
import { devnetRoles, roleAccount } from "./accounts.ts";
import { deployData } from "./artefacts.ts";
import { documentHash } from "./documents.ts";
import { devnetProducts, vaultLimits } from "./products.ts";
import { LOCAL_CHAIN_ID } from "./rpc.ts";
import type { Call, Sender } from "./sender.ts";

/** Role ids of the AccessManager. 0 is its own admin role, held by the owner. */
export const chainRoles = { owner: 1n, guardian: 2n, reporter: 3n, attester: 4n, treasurer: 5n } as const;

export interface DeployedWorld {
  deployment: Deployment;
  addresses: { accessManager: Address; testDollar: Address; identityRegistry: Address; productRegistry: Address };
  /** Vault of each product, by its short id. */
  vaults: ReadonlyMap<string, Address>;
}

const DEMAND_DEPOSIT = 0;
const CREATION_GAS = 5_000_000n;
const GAS_MONEY = 10n ** 24n;

/**
 * Deploys the contracts on the local chain, hands out the roles and lists the three products, in three blocks.
 * On the local chain the owner acts without delay. Rejects on any other chain.
 * @param startTime Unix seconds of the first block; without it the chain's own time.
 */
export async function deployContracts(sender: Sender, startTime?: number): Promise<DeployedWorld> {
  const { rpc } = sender;
  await rpc.batch(
    devnetRoles.map((role) => ({
      method: "anvil_setBalance",
      params: [roleAccount(role).address, toHex(GAS_MONEY)],
    })),
  );
  const deployer = roleAccount("deployer");
  await sender.readNonces([deployer.address]);
  const creations: Call[] = [];
  const create = (what: string, data: Hex): Address => {
    const nonce = BigInt(sender.nonceOf(deployer.address) + creations.length);
    creations.push({ from: deployer, to: null, data, what: `deploy ${what}`, gas: CREATION_GAS });
    return getContractAddress({ from: deployer.address, nonce });
  };

  const manager = create("AccessManager", await deployData("AccessManager", accessManagerAbi, [deployer.address]));
  const testDollar = create("TestDollar", await deployData("TestDollar", testDollarAbi, []));
  const identity = create("IdentityRegistry", await deployData("IdentityRegistry", identityRegistryAbi, [manager]));
  const registry = create("ProductRegistry", await deployData("ProductRegistry", productRegistryAbi, [manager]));
  const vaults = new Map<string, Address>();
  for (const { shortId, shareName, shareSymbol, cap, minDeposit } of devnetProducts) {
    const parameters = { cap, minDeposit, ...vaultLimits };
    const args = [testDollar, shareName, shareSymbol, identity, registry, manager, parameters] as const;
    vaults.set(shortId, create(`vault ${shortId}`, await deployData("DemandVault", demandVaultAbi, args)));
  }

  const startBlock = Number(await rpc.call<Hex>("eth_blockNumber")) + 1;
  const at = (step: number) => (startTime === undefined ? undefined : startTime + step * 12);
  await sender.block(creations, at(0));
  await sender.block(roleCalls(manager, identity, registry, [...vaults.values()]), at(1));
  await sender.block(await listingCalls(registry, testDollar, vaults), at(2));
  await sender.settle();

  return {
    deployment: {
      chain_id: LOCAL_CHAIN_ID,
      start_block: startBlock,
      access_manager: manager,
      identity_registry: identity,
      product_registry: registry,
      test_dollar: testDollar,
    },
    addresses: { accessManager: manager, testDollar, identityRegistry: identity, productRegistry: registry },
    vaults,
  };
}

function selectors(abi: Abi, names: readonly string[]): Hex[] {
  const functions = abi.filter((item) => item.type === "function");
  return names.map((name) => {
    const found = functions.find((item) => item.name === name);
    if (found === undefined) throw new Error(`The contract has no function ${name}.`);
    return toFunctionSelector(found);
  });
}

function roleCalls(manager: Address, identity: Address, registry: Address, vaults: readonly Address[]): Call[] {
  const from = roleAccount("deployer");
  const call = (what: string, data: Hex): Call => ({ from, to: manager, data, what });
  const allow = (target: Address, abi: Abi, names: readonly string[], role: keyof typeof chainRoles) =>
    call(
      `let the ${role} ${names.join(", ")}`,
      encodeFunctionData({
        abi: accessManagerAbi,
        functionName: "setTargetFunctionRole",
        args: [target, selectors(abi, names), chainRoles[role]],
      }),
    );
  const calls = [
    allow(identity, identityRegistryAbi, ["bind", "renew", "revoke", "proposeRecovery", "cancelRecovery"], "attester"),
    allow(identity, identityRegistryAbi, ["freeze"], "guardian"),
    allow(identity, identityRegistryAbi, ["unfreeze"], "owner"),
    allow(registry, productRegistryAbi, ["list", "open", "setMetadata"], "owner"),
    allow(registry, productRegistryAbi, ["close"], "guardian"),
  ];
  for (const vault of vaults) {
    calls.push(allow(vault, demandVaultAbi, ["report"], "reporter"));
    calls.push(allow(vault, demandVaultAbi, ["pause"], "guardian"));
    calls.push(allow(vault, demandVaultAbi, ["deploy"], "treasurer"));
    const settings = ["setCap", "setMinDeposit", "unpause", "setQueue", "setCustodian", "setTreasury"];
    calls.push(allow(vault, demandVaultAbi, settings, "owner"));
  }
  for (const [role, id] of Object.entries(chainRoles) as [keyof typeof chainRoles, bigint][]) {
    const label = encodeFunctionData({ abi: accessManagerAbi, functionName: "labelRole", args: [id, role] });
    const args = [id, roleAccount(role).address, 0] as const;
    const grant = encodeFunctionData({ abi: accessManagerAbi, functionName: "grantRole", args });
    calls.push(call(`name the role ${role}`, label), call(`grant the role ${role}`, grant));
  }
  const admin = [0n, roleAccount("owner").address, 0] as const;
  calls.push(
    call("make the owner admin", encodeFunctionData({ abi: accessManagerAbi, functionName: "grantRole", args: admin })),
  );
  const renounce = [0n, from.address] as const;
  calls.push(
    call(
      "take the admin role from the deployer",
      encodeFunctionData({ abi: accessManagerAbi, functionName: "renounceRole", args: renounce }),
    ),
  );
  return calls;
}

async function listingCalls(registry: Address, asset: Address, vaults: ReadonlyMap<string, Address>): Promise<Call[]> {
  return Promise.all(
    [...vaults].map(async ([shortId, vault]) => ({
      from: roleAccount("owner"),
      to: registry,
      what: `list ${shortId}`,
      data: encodeFunctionData({
        abi: productRegistryAbi,
        functionName: "list",
        args: [shortId, vault, DEMAND_DEPOSIT, asset, await documentHash(shortId)],
      }),
    })),
  );
}

/** Where the deployments of a world are kept; the server reads `<chain id>.json` in it. */
export function deploymentsFolder(dataDir: string): string {
  return join(dataDir, "deployments");
}

export async function writeDeployment(dataDir: string, deployment: Deployment): Promise<void> {
  const folder = deploymentsFolder(dataDir);
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${deployment.chain_id}.json`);
  await writeFile(`${file}.new`, `${JSON.stringify(deployment, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

export async function readDeployment(dataDir: string): Promise<Deployment> {
  const text = await readFile(join(deploymentsFolder(dataDir), `${LOCAL_CHAIN_ID}.json`), "utf8");
  return deploymentSchema.parse(JSON.parse(text));
}
