import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { DAY } from "@aqua/sdk/durations";
import type { Abi, Address, Hex } from "viem";
import { encodeFunctionData, isAddressEqual } from "viem/utils";
import {
  type Asset,
  assetDecimals,
  ConfigFault,
  type DemandProduct,
  type DeployConfig,
  LONGEST_EVIDENCE,
  type Term,
  type TimeProduct,
} from "./config.ts";
import { type Artefacts, creator, type Place } from "./creations.ts";
import {
  functionRoleCalls,
  grantCalls,
  guardianCalls,
  handoverCalls,
  type ManagedContract,
  type Member,
  revokeCalls,
} from "./roles.ts";
import { addressText, amountText, momentText, percentText } from "./settingText.ts";
import type { Call, Creation, Read, Setting, Setup, Step } from "./steps.ts";

export interface Plan {
  chainId: number;
  deployer: Address;
  accessManager: Address;
  identityRegistry: Address;
  productRegistry: Address;
  telemetryAnchor: Address;
  testDollar: Address | null;
  /** In the order in which they are to be done: everything is set up before the deployer steps back. */
  steps: readonly Step[];
}

const DEMAND_DEPOSIT = 0;
const TIME_DEPOSIT = 1;

/** Plan of a configuration on its chain. `listed`: addresses of products that the registry has already, by short id. */
export function planDeployment({
  config,
  deployer,
  artefacts,
  place,
  listed,
}: {
  config: DeployConfig;
  deployer: Address;
  artefacts: Artefacts;
  place: Place;
  listed: ReadonlyMap<string, Address>;
}): Plan {
  const create = creator(artefacts, config.chainId, place);
  const managed = (contract: ManagedContract, key: string): Creation =>
    create({ key, what: `create the ${contract}`, contract, args: [manager.address] });
  const manager = create({
    key: "access-manager",
    what: "create the AccessManager",
    contract: "AccessManager",
    args: [deployer],
  });
  const identity = managed("IdentityRegistry", "identity-registry");
  const registry = managed("ProductRegistry", "product-registry");
  const anchor = managed("TelemetryAnchor", "telemetry-anchor");
  const renderer = rendererCreation(create);
  const dollar = config.products.some(({ asset }) => asset === "test_dollar")
    ? create({
        key: "test-dollar",
        what: "create the TestDollar",
        contract: "TestDollar" as const,
        args: [],
        permitName: "Test Dollar",
      })
    : null;

  const world: World = {
    create,
    manager: manager.address,
    identity: identity.address,
    registry: registry.address,
    renderer: renderer.address,
    dollar: dollar?.address ?? null,
    listed,
    queues: new Map(),
  };
  const products = config.products.map((product) => productSteps(world, product));
  const creations = [manager, identity, registry, anchor, renderer, ...(dollar === null ? [] : [dollar])];
  const roleSteps = [identity, registry, anchor, ...products.map(({ product }) => product)].map((creation) =>
    functionRoles(manager.address, creation),
  );
  const handover: Setup = {
    kind: "call",
    key: "handover",
    what: "hand out the roles, and take the deployer's away",
    calls: [
      ...grantCalls(manager.address, config.holders),
      ...guardianCalls(manager.address),
      ...handoverCalls(manager.address, config.holders.owner, deployer),
    ],
  };
  return {
    chainId: config.chainId,
    deployer,
    accessManager: manager.address,
    identityRegistry: identity.address,
    productRegistry: registry.address,
    telemetryAnchor: anchor.address,
    testDollar: dollar?.address ?? null,
    steps: [
      // All creations first: where CREATE gives the addresses, they follow from the deployer's count of transactions.
      ...creations,
      ...products.flatMap((it) => it.creations),
      ...products.flatMap((it) => [...it.setup, ...it.listing]),
      ...roleSteps,
      handover,
    ],
  };
}

/** The plan with a last step that takes its role from each of `unnamed`, whom the configuration does not name. */
export function withRevocations(plan: Plan, unnamed: readonly Member[], holders: DeployConfig["holders"]): Plan {
  const calls = revokeCalls(plan.accessManager, unnamed, holders);
  const [first, ...others] = calls;
  if (first === undefined) return plan;
  const what = others.length === 0 ? first.what : "take the roles from those whom the configuration does not name";
  return { ...plan, steps: [...plan.steps, { kind: "call", key: "revocations", what, calls }] };
}

/** The contracts of a chain as a product needs them. */
export interface World {
  create: ReturnType<typeof creator>;
  manager: Address;
  identity: Address;
  registry: Address;
  renderer: Address;
  dollar: Address | null;
  /** Addresses of the products that the registry has already, and of their queues that are not where a plan puts them. */
  listed: ReadonlyMap<string, Address>;
  queues: ReadonlyMap<string, Address>;
}

/** Draws the receipts of all products. It has no settings. */
export const rendererCreation = (create: World["create"]) =>
  create({ key: "receipt-renderer", what: "create the ReceiptRenderer", contract: "ReceiptRenderer", args: [] });

export function productSteps(world: World, product: DemandProduct | TimeProduct): ProductSteps {
  return product.type === "demand_deposit" ? demandSteps(world, product) : timeSteps(world, product);
}

/** Settings of a product that no owner can change and that its code does not show. */
function fixedOf(world: World, { shortId, shareName, shareSymbol }: DemandProduct | TimeProduct) {
  return [
    ["name", shareName, `share_name of ${shortId}`, "share_name"],
    ["symbol", shareSymbol, `share_symbol of ${shortId}`, "share_symbol"],
    ["authority", world.manager, `the AccessManager of ${shortId}`, "chain_id"],
  ] as const;
}

export interface ProductSteps {
  product: Creation;
  creations: readonly Creation[];
  setup: readonly Setup[];
  /** What shows the product to depositors, and opens it. */
  listing: readonly Setup[];
}

function assetOf(world: World, { asset }: DemandProduct | TimeProduct): Address {
  const address = asset === "test_dollar" ? world.dollar : asset.address;
  if (address === null) throw new Error("The plan has no play money.");
  return address;
}

function demandSteps(world: World, config: DemandProduct): ProductSteps {
  const { shortId, shareName, cap, minDeposit, vestingTime, maxRate, maxReportAge, evidenceUntil } = config;
  const asset = assetOf(world, config);
  const vault = world.create({
    key: `vault/${shortId}`,
    what: `create the DemandVault of ${shortId}`,
    contract: "DemandVault",
    args: [
      ...[asset, shareName, config.shareSymbol, world.identity, world.registry, world.manager],
      { cap, minDeposit, vestingTime, maxRate, maxReportAge, evidenceUntil, renderer: world.renderer },
    ],
    immutables: [
      ["identityRegistry", world.identity],
      ["productRegistry", world.registry],
      ["vestingTime", vestingTime, "vesting_seconds"],
      ["maxReportAge", maxReportAge, "max_report_age_seconds"],
      ["maxRate", maxRate, "max_gain_percent_per_year"],
      ["renderer", world.renderer],
      ["asset", asset, "asset"],
      ["the asset's decimals", BigInt(assetDecimals(config.asset)), "asset"],
    ],
    permitName: shareName,
    listed: world.listed.get(shortId),
    fixed: fixedOf(world, config),
  });
  const queue = world.create({
    key: `queue/${shortId}`,
    what: `create the RedemptionQueue of ${shortId}`,
    contract: "RedemptionQueue",
    args: [vault.address],
    immutables: [
      ["vault", vault.address],
      ["identityRegistry", world.identity],
      ["asset", asset],
      ["maxReportAge", maxReportAge],
    ],
    listed: world.queues.get(shortId),
  });

  const set = (
    what: string,
    functionName: string,
    args: readonly unknown[],
    read: Pick<Read, "is" | "conflict" | "settings">,
  ) =>
    setupOf(`${functionName}/${shortId}`, {
      what: `${what} of ${shortId}`,
      to: vault.address,
      data: encodeFunctionData({ abi: demandVaultAbi as Abi, functionName, args }),
      reads: [{ address: vault.address, abi: demandVaultAbi, functionName: "desk", args: [], ...read }],
    });
  const limit = (what: string, [functionName, getter]: readonly [string, string], wanted: bigint) =>
    changeOf(`${functionName}/${shortId}`, {
      what: `set the ${what} of ${shortId}`,
      to: vault.address,
      abi: demandVaultAbi,
      call: [functionName, [wanted]],
      read: [getter, []],
      is: (value) => value === wanted,
      settings: (value) => [amountSetting(what, [value as bigint, wanted], config.asset)],
    });
  const unset = /^0x0*$/;
  const setup: Setup[] = [
    limit("deposit cap", ["setCap", "cap"], cap),
    limit("smallest deposit", ["setMinDeposit", "minDeposit"], minDeposit),
    set("name the queue", "setQueue", [queue.address], {
      is: (desk) => isAddressEqual((desk as Desk).queue, queue.address),
      conflict: (desk) =>
        unset.test((desk as Desk).queue) || isAddressEqual((desk as Desk).queue, queue.address)
          ? null
          : `the vault of ${shortId} has another queue for good, ${(desk as Desk).queue}`,
    }),
  ];
  if (config.custodian !== null) {
    const { address, buffer } = config.custodian;
    setup.push(
      set("name the custodian", "setCustodian", [address, buffer], {
        is: (desk) => isAddressEqual((desk as Desk).custodian, address) && (desk as Desk).buffer === buffer,
        settings: (desk) => [
          addressSetting("custodian", (desk as Desk).custodian, address),
          percentSetting("cash buffer", (desk as Desk).buffer, buffer),
        ],
      }),
    );
  }
  if (config.treasury !== null) {
    const { address, fee } = config.treasury;
    setup.push(
      set("name the treasury", "setTreasury", [address, fee], {
        is: (desk) => isAddressEqual((desk as Desk).treasury, address) && (desk as Desk).fee === fee,
        settings: (desk) => [
          addressSetting("treasury", (desk as Desk).treasury, address),
          percentSetting("performance fee", (desk as Desk).fee, fee),
        ],
      }),
    );
  }
  return {
    product: vault,
    creations: [vault, queue],
    setup,
    listing: listing({ world, config, product: vault.address, type: DEMAND_DEPOSIT }),
  };
}

interface Desk {
  queue: Address;
  custodian: Address;
  buffer: bigint;
  treasury: Address;
  fee: bigint;
  evidenceUntil: number | bigint;
}

function timeSteps(world: World, config: TimeProduct): ProductSteps {
  const { shortId, cap, minDeposit, buffer, custodian, evidenceUntil } = config;
  const asset = assetOf(world, config);
  const deposit = world.create({
    key: `term/${shortId}`,
    what: `create the TermDeposit of ${shortId}`,
    contract: "TermDeposit",
    args: [
      ...[asset, config.shareName, config.shareSymbol, world.identity, world.registry, world.manager],
      { cap, minDeposit, buffer, custodian, evidenceUntil, renderer: world.renderer },
    ],
    immutables: [
      ["asset", asset, "asset"],
      ["custodian", custodian, "custodian"],
      ["buffer", buffer, "buffer_percent"],
      ["identityRegistry", world.identity],
      ["productRegistry", world.registry],
      ["renderer", world.renderer],
    ],
    listed: world.listed.get(shortId),
    fixed: fixedOf(world, config),
  });
  const limits = changeOf(`setLimits/${shortId}`, {
    what: `set cap and smallest deposit of ${shortId}`,
    to: deposit.address,
    abi: termDepositAbi,
    call: ["setLimits", [cap, minDeposit]],
    read: ["limits", []],
    is: (value) => {
      const [foundCap, foundMinDeposit] = value as readonly [bigint, bigint, bigint];
      return foundCap === cap && foundMinDeposit === minDeposit;
    },
    settings: (value) => {
      const [foundCap, foundMinDeposit] = value as readonly [bigint, bigint, bigint];
      return [
        amountSetting("deposit cap", [foundCap, cap], config.asset),
        amountSetting("smallest deposit", [foundMinDeposit, minDeposit], config.asset),
      ];
    },
  });
  const terms = config.terms.flatMap((term, index) => termSetup({ config, deposit: deposit.address, term, index }));
  return {
    product: deposit,
    creations: [deposit],
    setup: [limits, ...terms],
    listing: listing({ world, config, product: deposit.address, type: TIME_DEPOSIT }),
  };
}

/** Terms are numbered in the order they are added, and nothing of one but its cap and whether it is open ever changes. */
function termSetup({
  config: { shortId, asset },
  deposit,
  term,
  index,
}: {
  config: TimeProduct;
  deposit: Address;
  term: Term;
  index: number;
}): Setup[] {
  const { count, unit, rate, breakRate, penalty, cap, open } = term;
  const same = (value: unknown) => {
    const found = value as { count: number; unit: number; rate: bigint; breakRate: bigint; penalty: bigint };
    const lengths = found.count === count && found.unit === unit;
    return lengths && found.rate === rate && found.breakRate === breakRate && found.penalty === penalty;
  };
  const added = setupOf(`term/${shortId}/${index}`, {
    what: `add term ${index} to ${shortId}`,
    to: deposit,
    data: encodeFunctionData({
      abi: termDepositAbi,
      functionName: "addTerm",
      args: [count, unit, rate, breakRate, penalty, cap, open],
    }),
    reads: [
      {
        address: deposit,
        abi: termDepositAbi,
        functionName: "termOf",
        args: [BigInt(index)],
        is: same,
        field: `terms.${index}`,
        conflict: (value) =>
          same(value)
            ? null
            : `${shortId} has another term ${index}, and terms never change: leave it as it was and add yours at the end`,
      },
    ],
  });
  const changed = changeOf(`setTerm/${shortId}/${index}`, {
    what: `set cap and offer of term ${index} of ${shortId}`,
    to: deposit,
    abi: termDepositAbi,
    call: ["setTerm", [BigInt(index), cap, open]],
    read: ["termOf", [BigInt(index)]],
    is: (value) => {
      const found = value as { cap: bigint; open: boolean };
      return found.cap === cap && found.open === open;
    },
    settings: (value) => {
      const found = value as { cap: bigint; open: boolean };
      const offer = (isOpen: boolean) => (isOpen ? "offered" : "not offered");
      return [
        amountSetting(`cap of term ${index}`, [found.cap, cap], asset),
        { name: `term ${index}`, found: offer(found.open), wanted: offer(open) },
      ];
    },
  });
  return [added, changed];
}

const amountSetting = (name: string, [found, wanted]: readonly [bigint, bigint], asset: Asset): Setting => ({
  name,
  found: amountText(found, asset),
  wanted: amountText(wanted, asset),
});
const percentSetting = (name: string, found: bigint, wanted: bigint): Setting => ({
  name,
  found: percentText(found),
  wanted: percentText(wanted),
});
const addressSetting = (name: string, found: Address, wanted: Address): Setting => ({
  name,
  found: addressText(found),
  wanted: addressText(wanted),
});

/** A call that is made only where the owner changes what an earlier step has set: until that step is done there is nothing to change. */
function changeOf(
  key: string,
  {
    what,
    to,
    abi,
    call: [functionName, args],
    read: [getter, asked],
    is,
    settings,
  }: {
    what: string;
    to: Address;
    abi: Abi;
    call: readonly [string, readonly unknown[]];
    read: readonly [string, readonly unknown[]];
    is: Read["is"];
    settings: NonNullable<Read["settings"]>;
  },
): Setup {
  const data = encodeFunctionData({ abi, functionName, args });
  const reads = [
    { address: to, abi, functionName: getter, args: asked, impliedByEarlier: true as const, is, settings },
  ];
  return setupOf(key, { what, to, data, reads });
}

function listing({
  world,
  config,
  product,
  type,
}: {
  world: World;
  config: DemandProduct | TimeProduct;
  product: Address;
  type: number;
}): Setup[] {
  const { shortId, documentHash } = config;
  const read = {
    address: world.registry,
    abi: productRegistryAbi,
    functionName: "productOf",
    args: [shortId],
  } as const;
  const listed = (value: unknown) => value as readonly [Address, number, Address, number, Hex];
  return [
    setupOf(`list/${shortId}`, {
      what: `list ${shortId}`,
      to: world.registry,
      data: encodeFunctionData({
        abi: productRegistryAbi,
        functionName: "list",
        args: [shortId, product, type, assetOf(world, config), documentHash],
      }),
      reads: [{ ...read, is: (value) => isAddressEqual(listed(value)[0], product) }],
    }),
    setupOf(`metadata/${shortId}`, {
      what: `set the document of ${shortId}`,
      to: world.registry,
      data: encodeFunctionData({
        abi: productRegistryAbi,
        functionName: "setMetadata",
        args: [shortId, documentHash],
      }),
      reads: [
        {
          ...read,
          impliedByEarlier: true,
          is: (value) => listed(value)[4].toLowerCase() === documentHash,
          settings: (value) => [
            { name: "document", found: listed(value)[4].toLowerCase(), wanted: documentHash.toLowerCase() },
          ],
        },
      ],
    }),
  ];
}

/** Renews a listed product's evidence by the document of this hash; to an earlier time only the owner may. */
export function evidenceStep(
  product: Creation,
  { shortId, evidenceUntil: until }: DemandProduct | TimeProduct,
  { found, document }: { found: bigint; document: Hex },
): Setup {
  const demand = product.contract === "DemandVault";
  const abi: Abi = demand ? demandVaultAbi : termDepositAbi;
  const untilOf = (value: unknown) => BigInt(demand ? (value as Desk).evidenceUntil : (value as number | bigint));
  return changeOf(`evidence/${shortId}`, {
    what: `renew the evidence of ${shortId}`,
    to: product.address,
    abi,
    call: [until > found ? "renewEvidence" : "setEvidence", [document, until]],
    read: [demand ? "desk" : "evidenceUntil", []],
    is: (value) => untilOf(value) === until,
    settings: (value) => [
      { name: "evidence valid until", found: momentText(untilOf(value)), wanted: momentText(until) },
    ],
  });
}

/**
 * Checks the end of a product's evidence by the time of the chain's newest block, where one of the steps creates the product
 * or renews its evidence. A contract refuses any other value by the same error.
 * @throws ConfigFault at `path`
 */
export function checkEvidenceUntil(
  steps: readonly Step[],
  { shortId, evidenceUntil }: DemandProduct | TimeProduct,
  { time, path }: { time: number; path: readonly (string | number)[] },
): void {
  const isSetBy = (...names: string[]) => steps.some(({ key }) => names.some((name) => key === `${name}/${shortId}`));
  const newest = `the newest block of the chain, ${momentText(time)}, and the contract refuses that`;
  if (isSetBy("vault", "term", "evidence") && evidenceUntil > time + LONGEST_EVIDENCE)
    throw new ConfigFault(path, `is more than ${LONGEST_EVIDENCE / DAY} days after ${newest}`);
  if (isSetBy("evidence") && evidenceUntil <= time) throw new ConfigFault(path, `is not after ${newest}`);
}

export function functionRoles(manager: Address, { contract, key, address, what }: Creation): Setup {
  const calls = functionRoleCalls(manager, contract as ManagedContract, address);
  return { kind: "call", key: `roles/${key}`, what: what.replace("create", "give out the functions of"), calls };
}

function setupOf(key: string, call: Call): Setup {
  return { kind: "call", key, what: call.what, calls: [call] };
}
