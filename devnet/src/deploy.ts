import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { receiptRendererAbi } from "@aqua/sdk/abi/ReceiptRenderer";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { testDollarAbi } from "@aqua/sdk/abi/TestDollar";
import { type Deployment, deployment as deploymentSchema } from "@aqua/sdk/deployment";
import { timeUnits } from "@aqua/sdk/maths/term";
import type { Address, Hex } from "viem";
import { encodeFunctionData, getContractAddress, toHex } from "viem/utils";
import { devnetRoles, roleAccount } from "./accounts.ts";
import { deployData } from "./artefacts.ts";
import { documentHash } from "./documents.ts";
import { devnetProducts, performanceFee, timeProducts, vaultLimits } from "./products.ts";
import { roleCalls } from "./roles.ts";
import { LOCAL_CHAIN_ID } from "./rpc.ts";
import type { EvidenceTerm } from "./seed/evidence.ts";
import type { Call, Sender } from "./sender.ts";

export interface DeployedWorld {
  deployment: Deployment;
  addresses: {
    accessManager: Address;
    testDollar: Address;
    identityRegistry: Address;
    productRegistry: Address;
    receiptRenderer: Address;
    telemetryAnchor: Address;
  };
  /** Vault of each demand deposit, by its short id. */
  vaults: ReadonlyMap<string, Address>;
  /** The redemption queue of each vault, by its product's short id. */
  queues: ReadonlyMap<string, Address>;
  /** Contract of each time deposit. */
  termDeposits: ReadonlyMap<string, Address>;
}

const [DEMAND_DEPOSIT, TIME_DEPOSIT] = [0, 1];
const CREATION_GAS = 5_000_000n;
const GAS_MONEY = 10n ** 24n;
const BLOCK_SECONDS = 12;

/**
 * Deploys the contracts on the local chain, makes the settings, lists the products and grants the roles, in four
 * blocks; the vaults are in the first. Rejects on any other chain.
 * @param startTime Unix seconds of the first block; without it the chain's own time.
 * @param ownerDelay Seconds between the announcement and the execution of the owner's calls; without it none.
 * @param evidence Evidence terms by product; a product that is not named has none.
 */
export async function deployContracts(
  sender: Sender,
  startTime?: number,
  { ownerDelay = 0, evidence = new Map() }: { ownerDelay?: number; evidence?: ReadonlyMap<string, EvidenceTerm> } = {},
): Promise<DeployedWorld> {
  const { rpc } = sender;
  await rpc.batch(
    devnetRoles.map((role) => ({
      method: "anvil_setBalance",
      params: [roleAccount(role).address, toHex(GAS_MONEY)],
    })),
  );
  const deployer = roleAccount("deployer");
  await sender.readNonces([deployer.address]);
  const first = sender.nonceOf(deployer.address);
  const creations: Call[] = [];
  const create = (what: string, data: Hex): Address => {
    const nonce = BigInt(first + creations.length);
    creations.push({ from: deployer, to: null, data, what: `deploy ${what}`, gas: CREATION_GAS });
    return getContractAddress({ from: deployer.address, nonce });
  };

  const manager = create("AccessManager", await deployData("AccessManager", accessManagerAbi, [deployer.address]));
  const testDollar = create("TestDollar", await deployData("TestDollar", testDollarAbi, []));
  const identity = create("IdentityRegistry", await deployData("IdentityRegistry", identityRegistryAbi, [manager]));
  const registry = create("ProductRegistry", await deployData("ProductRegistry", productRegistryAbi, [manager]));
  const renderer = create("ReceiptRenderer", await deployData("ReceiptRenderer", receiptRendererAbi, []));
  const vaults = new Map<string, Address>();
  for (const { shortId, shareName, shareSymbol, cap, minDeposit } of devnetProducts) {
    const evidenceUntil = BigInt(evidence.get(shortId)?.until ?? 0);
    const parameters = { cap, minDeposit, ...vaultLimits, evidenceUntil, renderer };
    const args = [testDollar, shareName, shareSymbol, identity, registry, manager, parameters] as const;
    vaults.set(shortId, create(`vault ${shortId}`, await deployData("DemandVault", demandVaultAbi, args)));
  }
  const inFirstBlock = creations.length;
  const anchor = create("TelemetryAnchor", await deployData("TelemetryAnchor", telemetryAnchorAbi, [manager]));
  const queues = new Map<string, Address>();
  for (const [shortId, vault] of vaults) {
    const data = await deployData("RedemptionQueue", redemptionQueueAbi, [vault]);
    queues.set(shortId, create(`queue ${shortId}`, data));
  }
  const termDeposits = new Map<string, Address>();
  const custodian = roleAccount("custodian").address;
  for (const { shortId, shareName, shareSymbol, cap, minDeposit, buffer } of timeProducts) {
    const evidenceUntil = BigInt(evidence.get(shortId)?.until ?? 0);
    const parameters = { cap, minDeposit, buffer, custodian, evidenceUntil, renderer };
    const args = [testDollar, shareName, shareSymbol, identity, registry, manager, parameters] as const;
    termDeposits.set(shortId, create(`time deposit ${shortId}`, await deployData("TermDeposit", termDepositAbi, args)));
  }

  const world: DeployedWorld = {
    deployment: {
      chain_id: LOCAL_CHAIN_ID,
      start_block: Number(await rpc.call<Hex>("eth_blockNumber")) + 1,
      access_manager: manager,
      identity_registry: identity,
      product_registry: registry,
      telemetry_anchor: anchor,
      test_dollar: testDollar,
    },
    addresses: {
      accessManager: manager,
      testDollar,
      identityRegistry: identity,
      productRegistry: registry,
      receiptRenderer: renderer,
      telemetryAnchor: anchor,
    },
    vaults,
    queues,
    termDeposits,
  };
  const roles = roleCalls({
    manager,
    identity,
    registry,
    anchor,
    vaults: [...vaults.values()],
    termDeposits: [...termDeposits.values()],
    ownerDelay,
  });
  const settings = [...settingCalls(world), ...(await listingCalls(world))];
  const blocks = [creations.slice(0, inFirstBlock), creations.slice(inFirstBlock), settings, roles];
  for (const [step, calls] of blocks.entries()) {
    await sender.block(calls, startTime === undefined ? undefined : startTime + step * BLOCK_SECONDS);
  }
  await sender.settle();
  return world;
}

/**
 * Settings made before the first deposit: queue, custodian and treasury of each vault, and the offered terms. As in
 * production, the deployer makes them and is admin until the roles are granted.
 */
function settingCalls({ vaults, queues, termDeposits }: DeployedWorld): Call[] {
  const from = roleAccount("deployer");
  const custodian = roleAccount("custodian").address;
  const treasury = roleAccount("treasury").address;
  const ofVaults = devnetProducts.flatMap(({ shortId, buffer }) => {
    const vault = vaults.get(shortId) as Address;
    const call = (what: string, data: Hex): Call => ({ from, to: vault, data, what: `${what} of ${shortId}` });
    const abi = demandVaultAbi;
    return [
      call("queue", encodeFunctionData({ abi, functionName: "setQueue", args: [queues.get(shortId) as Address] })),
      call("custodian", encodeFunctionData({ abi, functionName: "setCustodian", args: [custodian, buffer] })),
      call("treasury", encodeFunctionData({ abi, functionName: "setTreasury", args: [treasury, performanceFee] })),
    ];
  });
  const ofTerms = timeProducts.flatMap(({ shortId, terms }) =>
    terms.map(({ count, unit, rate, breakRate, penalty, cap }) => ({
      from,
      to: termDeposits.get(shortId) as Address,
      what: `offer ${count} ${unit} of ${shortId}`,
      data: encodeFunctionData({
        abi: termDepositAbi,
        functionName: "addTerm",
        args: [count, timeUnits.indexOf(unit), rate, breakRate, penalty, cap, true],
      }),
    })),
  );
  return [...ofVaults, ...ofTerms];
}

async function listingCalls({ addresses, vaults, termDeposits }: DeployedWorld): Promise<Call[]> {
  const { productRegistry, testDollar } = addresses;
  const products = [
    ...[...vaults].map(([shortId, product]) => ({ shortId, product, type: DEMAND_DEPOSIT })),
    ...[...termDeposits].map(([shortId, product]) => ({ shortId, product, type: TIME_DEPOSIT })),
  ];
  return Promise.all(
    products.map(async ({ shortId, product, type }) => ({
      from: roleAccount("deployer"),
      to: productRegistry,
      what: `list ${shortId}`,
      data: encodeFunctionData({
        abi: productRegistryAbi,
        functionName: "list",
        args: [shortId, product, type, testDollar, await documentHash(shortId)],
      }),
    })),
  );
}

/** Returns the folder of a world's deployments. The server reads `<chain id>.json` in it. */
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
