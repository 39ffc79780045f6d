import { DAY } from "@aqua/sdk/durations";
import type { Account, Address } from "viem";
import { erc20Abi, isAddressEqual } from "viem";
import { getContractAddress } from "viem/utils";
import { readArtefact } from "./artefacts.ts";
import {
  CREATE2_PROXY,
  CREATE2_PROXY_CODE,
  create2Address,
  DeployChain,
  roughGas,
  type StepState,
  transactionOf,
} from "./chain.ts";
import { type DeployConfig, LOCAL_CHAIN_ID } from "./config.ts";
import { type Artefacts, contractNames } from "./creations.ts";
import { type Journal, readDeployment, readJournal, writeDeployment, writeJournal } from "./files.ts";
import { isPublished } from "./knownKeys.ts";
import { type OwnerTask, ownerTask } from "./ownerTask.ts";
import { checkEvidenceUntil, type Plan, planDeployment, withRevocations } from "./plan.ts";
import { type Member, roleIds, unnamedMembers } from "./roles.ts";
import { type Call, DeployError, type Step } from "./steps.ts";

export interface DeployOptions {
  config: DeployConfig;
  rpcUrl: string;
  /** The deployer; without a key only a dry run is possible. */
  deployer: Address;
  account: Account | null;
  /** False: nothing is sent and no file is written. */
  send: boolean;
  /** CREATE instead of CREATE2, for chains without the deployment proxy: other addresses on every chain. */
  plainCreate: boolean;
  /** Folder of `<chainId>.json`. */
  folder: string;
  /** First block of the deployment, where no note of an earlier run is left. */
  startBlock: number | null;
  confirmations: number;
  /** Called with what is about to be done, before the first transaction. */
  overview: (overview: Overview) => void;
  /** Called before and after each transaction. */
  progress: (step: Step, number: number, event: "sending" | "done") => void;
}

export interface Overview {
  plan: Plan;
  steps: readonly StepLine[];
  /** Wei. */
  balance: bigint;
  gasPrice: bigint;
  cost: bigint;
  /** True when the node could not run the steps beforehand, so that their gas is rough. */
  rough: boolean;
  /** Several roles of one account: its key has them all. */
  sharedRoles: readonly string[];
  /** Products whose reports may cover more time than a gain is streamed over. */
  lateReports: readonly string[];
}

export interface StepLine {
  step: Step;
  /** `owner`: only who holds the role may do it, the deployer no longer. */
  state: "done" | "to do" | "owner";
  gas: bigint | null;
}

export interface Outcome {
  /** The file the server reads; null after a dry run. */
  file: string | null;
  /** Contracts whose code was compared with the compiler's, byte by byte. */
  verified: number;
  ownerTasks: readonly OwnerTask[];
  /** Accounts with a role that the configuration does not give them. */
  unnamed: readonly Member[];
  /** Ids of roles without a holder. */
  unheld: readonly bigint[];
}

interface Work {
  step: Step;
  /** Calls for the deployer, and calls that only the owner may make. */
  mine: readonly Call[];
  owners: readonly Call[];
  missing: boolean;
}

/** Brings the chain to what the configuration says, or says what that would take. @throws DeployError */
export async function deploy(options: DeployOptions): Promise<Outcome> {
  const { config, deployer, folder } = options;
  const chain = await DeployChain.connect(options.rpcUrl, config.chainId);
  checkAccounts(config, deployer);
  const journal = await journalOf(options);
  if (!options.plainCreate) await checkProxy(chain);
  await checkAssets(chain, config);

  const artefacts = Object.fromEntries(
    await Promise.all(contractNames.map(async (name) => [name, await readArtefact(name)] as const)),
  ) as Artefacts;
  const place = options.plainCreate ? await plainPlaces(chain, deployer, journal) : null;
  const planned = (listed: ReadonlyMap<string, Address>) =>
    planDeployment({
      config,
      deployer,
      artefacts,
      place: (key, initCode) => (place === null ? create2Address(config.salt, key, initCode) : place(key)),
      listed,
    });
  const wanted = planned(await listedProducts(chain, planned(new Map()), config));
  const salt = options.plainCreate ? null : config.salt;
  const startBlock = await startBlockOf({ options, chain, plan: wanted, journal });
  const members = await membersOf(chain, wanted, startBlock);
  const isAdmin = await chain.isAdmin(wanted.accessManager, deployer);
  // Until the deployer hands the roles out it holds them all, and gives its own up by itself.
  const unnamed = isAdmin ? [] : unnamedMembers(members, config.holders);
  const plan = withRevocations(wanted, unnamed, config.holders);

  const works = await Promise.all(plan.steps.map((step) => workOf(chain, plan, step)));
  const overview = await overviewOf({ chain, plan, config, works, salt });
  options.overview(overview);
  if (!options.send) return outcomeOf({ chain, config, plan, works, members, file: null });

  await sendAll({ options, chain, plan, salt, overview, journal: { ...journal, start_block: startBlock } });
  const left = await check(chain, plan);
  const file = await writeDeployment(folder, {
    chain_id: config.chainId,
    start_block: startBlock,
    access_manager: plan.accessManager,
    identity_registry: plan.identityRegistry,
    product_registry: plan.productRegistry,
    telemetry_anchor: plan.telemetryAnchor,
    ...(plan.testDollar === null ? {} : { test_dollar: plan.testDollar }),
  });
  return outcomeOf({ chain, config, plan, works: left, members: await membersOf(chain, plan, startBlock), file });
}

/** A product stays where it is listed: the values that its owner may change are part of the address it would get now. */
async function listedProducts(chain: DeployChain, { productRegistry }: Plan, { products }: DeployConfig) {
  const found = products.map(async ({ shortId }) => [shortId, await chain.listed(productRegistry, shortId)] as const);
  const listed = new Map<string, Address>();
  for (const [shortId, address] of await Promise.all(found)) if (address !== null) listed.set(shortId, address);
  return listed;
}

async function membersOf(chain: DeployChain, { accessManager }: Plan, startBlock: number): Promise<Member[]> {
  return (await chain.codeAt(accessManager)) === null ? [] : chain.members(accessManager, startBlock);
}

async function outcomeOf({
  chain,
  config,
  plan,
  works,
  members,
  file,
}: {
  chain: DeployChain;
  config: DeployConfig;
  plan: Plan;
  works: readonly Work[];
  members: readonly Member[];
  file: string | null;
}): Promise<Outcome> {
  const { owner } = config.holders;
  const holding = members.filter(({ id }) => id === roleIds.admin || id === roleIds.owner);
  const candidates = [...new Set([owner.address, ...holding.map(({ account }) => account)])];
  const ownerTasks = await Promise.all(
    works
      .flatMap(({ owners }) => owners)
      .map((call) => ownerTask({ chain, accessManager: plan.accessManager, call, candidates })),
  );
  return {
    file,
    verified: works.filter(({ step, missing }) => step.kind === "create" && !missing).length,
    ownerTasks,
    unnamed: unnamedMembers(members, config.holders),
    unheld: Object.values(roleIds).filter((id) => !members.some((member) => member.id === id)),
  };
}

/** Keys that are nobody's secret, and a deployer that would keep a role. */
function checkAccounts(config: DeployConfig, deployer: Address): void {
  const named: Named[] = [["the deployer", deployer]];
  for (const [role, { address }] of Object.entries(config.holders)) {
    if (isAddressEqual(address, deployer)) {
      throw new DeployError(`the deployer ${deployer} cannot be the ${role}: it ends without any role`);
    }
    named.push([`the ${role}`, address]);
  }
  named.push(...receiversOf(config.products));
  checkPublished(config.chainId, named);
}

type Named = readonly [what: string, address: Address];

/** The accounts to which products send money. */
export function receiversOf(products: DeployConfig["products"]): Named[] {
  return products.flatMap((product) => {
    const custodian = product.type === "time_deposit" ? product.custodian : product.custodian?.address;
    const treasury = product.type === "time_deposit" ? undefined : product.treasury?.address;
    return [
      ...(custodian === undefined ? [] : [[`the custodian of ${product.shortId}`, custodian] as const]),
      ...(treasury === undefined ? [] : [[`the treasury of ${product.shortId}`, treasury] as const]),
    ];
  });
}

/** @throws DeployError where anyone has the key of an account, except on the local chain */
export function checkPublished(chainId: number, named: readonly Named[]): void {
  if (chainId === LOCAL_CHAIN_ID) return;
  const published = named.find(([, address]) => isPublished(address));
  if (published === undefined) return;
  const [what, address] = published;
  const instead = what === "the deployer" ? "set DEPLOYER_KEY to" : "put into the configuration the address of";
  throw new DeployError(
    `the key of ${what}, ${address}, comes from a published test mnemonic: anyone has it; ${instead} a key of your own, and run the command again`,
  );
}

export async function checkProxy(chain: DeployChain): Promise<void> {
  const code = await chain.codeAt(CREATE2_PROXY);
  if (code === CREATE2_PROXY_CODE) return;
  const how = "with --plain-create the contracts get addresses that differ from those on other chains";
  throw new DeployError(
    code === null
      ? `chain ${chain.chainId} has no deployment proxy at ${CREATE2_PROXY}; ${how}`
      : `on chain ${chain.chainId} something else stands at ${CREATE2_PROXY}, where the deployment proxy is expected; ${how}`,
  );
}

/** Each asset must be there and be what the configuration says: every amount depends on its decimals. */
export async function checkAssets(chain: DeployChain, { products }: Pick<DeployConfig, "products">): Promise<void> {
  for (const asset of new Set(products.map((product) => product.asset))) {
    if (asset === "test_dollar") continue;
    const { address } = asset;
    const next = "correct assets in the configuration, and run the command again";
    if ((await chain.codeAt(address)) === null)
      throw new DeployError(`no contract is at the asset ${address} on chain ${chain.chainId}; ${next}`);
    const [decimals, symbol] = await Promise.all([
      chain.client.readContract({ address, abi: erc20Abi, functionName: "decimals" }),
      chain.client.readContract({ address, abi: erc20Abi, functionName: "symbol" }),
    ]).catch(() => {
      throw new DeployError(
        `the asset ${address} has no decimals and symbol, so it is no ERC-20 token we can use; ${next}`,
      );
    });
    if (decimals !== asset.decimals || symbol !== asset.symbol) {
      throw new DeployError(
        `the asset ${address} is ${symbol} with ${decimals} decimals, the configuration says ${asset.symbol} with ${asset.decimals}; ${next}`,
      );
    }
  }
}

async function journalOf({ folder, config, deployer, plainCreate }: DeployOptions): Promise<Journal> {
  const empty = { chain_id: config.chainId, deployer, start_block: 0, created: {} };
  const journal = (await readJournal(folder, config.chainId)) ?? empty;
  if (journal.deployer.toLowerCase() !== deployer.toLowerCase()) {
    throw new DeployError(
      `the deployment of chain ${config.chainId} was begun by ${journal.deployer}; go on with its key`,
    );
  }
  if (!plainCreate && Object.keys(journal.created).length > 0) {
    throw new DeployError(`the deployment of chain ${config.chainId} was begun with --plain-create; go on with it`);
  }
  return journal;
}

/** Addresses of CREATE: those of the note where a contract exists, else by the deployer's next nonces. */
async function plainPlaces(chain: DeployChain, deployer: Address, journal: Journal): Promise<(key: string) => Address> {
  for (const [key, { address }] of Object.entries(journal.created)) {
    if ((await chain.codeAt(address as Address)) === null) delete journal.created[key];
  }
  let nonce = await chain.client.getTransactionCount({ address: deployer });
  const places = new Map(Object.entries(journal.created).map(([key, { address }]) => [key, address as Address]));
  return (key) => {
    const known = places.get(key) ?? getContractAddress({ from: deployer, nonce: BigInt(nonce++) });
    places.set(key, known);
    return known;
  };
}

async function workOf(chain: DeployChain, plan: Plan, step: Step): Promise<Work> {
  const found: StepState = await chain.stateOf(step);
  if (found.state === "wrong") throw new DeployError(found.why);
  if (found.state === "done") return { step, mine: [], owners: [], missing: false };
  const managed = (await chain.codeAt(plan.accessManager)) !== null;
  const mine: Call[] = [];
  const owners: Call[] = [];
  const delays = await Promise.all(
    found.calls.map((call) => (managed ? chain.delayOf(plan.accessManager, plan.deployer, call) : 0)),
  );
  for (const [index, call] of found.calls.entries()) (delays[index] === 0 ? mine : owners).push(call);
  return { step, mine, owners, missing: true };
}

const isMine = ({ step, mine, missing }: Work) => missing && (step.kind === "create" || mine.length > 0);

async function overviewOf({
  chain,
  plan,
  config,
  works,
  salt,
}: {
  chain: DeployChain;
  plan: Plan;
  config: DeployConfig;
  works: readonly Work[];
  salt: string | null;
}): Promise<Overview> {
  const todo = works.filter(isMine);
  const time = await chain.time();
  for (const [index, product] of config.products.entries()) {
    const path = ["products", index, "evidence_until"];
    checkEvidenceUntil(
      todo.map(({ step }) => step),
      product,
      { time, path },
    );
  }
  const transactions = todo.map(({ step, mine }) => ({ ...transactionOf(step, mine, salt), what: step.what }));
  const simulated = todo.length === 0 ? [] : await chain.simulate(plan.deployer, transactions);
  const gas = transactions.map((transaction, index) => {
    const step = todo[index]?.step;
    return simulated?.[index] ?? (step === undefined ? 0n : roughGas(step, transaction));
  });
  const [balance, gasPrice] = [await chain.client.getBalance({ address: plan.deployer }), await chain.gasPrice()];
  const steps = works.map((work): StepLine => {
    const index = todo.indexOf(work);
    const state = index >= 0 ? "to do" : work.missing ? "owner" : "done";
    return { step: work.step, state, gas: gas[index] ?? null };
  });
  const cost = gasPrice * gas.reduce((sum, each) => sum + each, 0n);
  return {
    plan,
    steps,
    balance,
    gasPrice,
    cost,
    rough: simulated === null,
    sharedRoles: sharedRoles(config),
    lateReports: lateReports(config),
  };
}

/** The longest time that a late report's gain is streamed over, unless the vesting time is longer. */
const LONGEST_STRETCH = BigInt(7 * DAY);

function lateReports({ products }: DeployConfig): string[] {
  return products.flatMap((product) => {
    if (product.type !== "demand_deposit") return [];
    const { shortId, vestingTime, maxReportAge } = product;
    return maxReportAge > vestingTime && maxReportAge > LONGEST_STRETCH ? [shortId] : [];
  });
}

function sharedRoles({ holders }: DeployConfig): string[] {
  const byAccount = new Map<Address, string[]>();
  for (const [role, { address }] of Object.entries(holders)) {
    byAccount.set(address, [...(byAccount.get(address) ?? []), role]);
  }
  return [...byAccount]
    .filter(([, held]) => held.length > 1)
    .map(([address, held]) => `${address} is ${held.join(", ")}`);
}

async function sendAll({
  options,
  chain,
  plan,
  salt,
  overview,
  journal,
}: {
  options: DeployOptions;
  chain: DeployChain;
  plan: Plan;
  salt: string | null;
  overview: Overview;
  journal: Journal;
}): Promise<void> {
  const { account, deployer, folder } = options;
  if (overview.steps.every(({ state }) => state !== "to do")) return;
  if (account === null) throw new DeployError("DEPLOYER_KEY must be set to the deployer's key, 0x and 64 hex digits");
  if (overview.balance < overview.cost) {
    throw new DeployError(
      `the deployer ${deployer} holds ${inCoins(overview.balance)}, and the steps may cost ${inCoins(overview.cost)}; send it ${inCoins(overview.cost - overview.balance)} more, and run the command again`,
    );
  }
  const [mined, sent] = await Promise.all([
    chain.client.getTransactionCount({ address: deployer, blockTag: "latest" }),
    chain.client.getTransactionCount({ address: deployer, blockTag: "pending" }),
  ]);
  if (sent > mined)
    throw new DeployError(`${sent - mined} transactions of the deployer are not mined yet; wait for them`);
  await writeJournal(folder, journal);
  for (const [index, step] of plan.steps.entries()) {
    // Asked anew: what another step has done counts, and so does what the deployer may no longer do.
    const work = await workOf(chain, plan, step);
    if (!isMine(work)) continue;
    options.progress(step, index + 1, "sending");
    if (step.kind === "create" && salt === null) {
      const nonce = await chain.client.getTransactionCount({ address: deployer });
      if (!isAddressEqual(getContractAddress({ from: deployer, nonce: BigInt(nonce) }), step.address)) {
        throw new DeployError("the deployer has sent another transaction meanwhile; run the command again");
      }
      // Noted before it is sent, so that it is found whatever happens in between.
      journal.created[step.key] = { address: step.address, nonce };
      await writeJournal(folder, journal);
    }
    await chain.send(account, transactionOf(step, work.mine, salt), {
      what: step.what,
      confirmations: options.confirmations,
    });
    options.progress(step, index + 1, "done");
  }
}

/** Looks at everything once more, as it is on chain now. */
async function check(chain: DeployChain, plan: Plan): Promise<Work[]> {
  const works = await Promise.all(plan.steps.map((step) => workOf(chain, plan, step)));
  const left = works.find(isMine);
  if (left !== undefined) throw new DeployError(`"${left.step.what}" is not done on the chain; run the command again`);
  return works;
}

/** The first block of the deployment: as given, else as noted, else as searched for, else the next one. @throws DeployError */
async function startBlockOf({
  options: { folder, config, startBlock },
  chain,
  plan,
  journal,
}: {
  options: DeployOptions;
  chain: DeployChain;
  plan: Plan;
  journal: Journal;
}): Promise<number> {
  const noted = journal.start_block > 0 ? journal.start_block : await writtenStartBlock(folder, config, plan);
  const latest = Number(await chain.client.getBlockNumber());
  if (startBlock !== null) {
    await checkStartBlock({ chain, startBlock, latest, noted, folder, accessManager: plan.accessManager });
    return startBlock;
  }
  if (noted !== null) return noted;
  if ((await chain.codeAt(plan.accessManager)) === null) return latest + 1;
  return firstBlockWith(chain, plan.accessManager, latest);
}

async function writtenStartBlock(folder: string, { chainId }: DeployConfig, plan: Plan): Promise<number | null> {
  const written = await readDeployment(folder, chainId);
  const same = written?.access_manager.toLowerCase() === plan.accessManager.toLowerCase();
  return written !== null && same ? written.start_block : null;
}

/** A block that is too late would hide contracts and roles from the server and from this command. @throws DeployError */
async function checkStartBlock({
  chain,
  startBlock,
  latest,
  noted,
  folder,
  accessManager,
}: {
  chain: DeployChain;
  startBlock: number;
  latest: number;
  noted: number | null;
  folder: string;
  accessManager: Address;
}): Promise<void> {
  const given = `--start-block ${startBlock}`;
  if (startBlock > latest)
    throw new DeployError(
      `${given} is after block ${latest}, the newest of chain ${chain.chainId}; give one before it`,
    );
  if (noted !== null && startBlock > noted)
    throw new DeployError(
      `${given} is after block ${noted}, with which the deployment begins by the files in ${folder}; leave it out`,
    );
  if (noted !== null || startBlock === 0) return;
  // A node that does not know the block cannot say.
  const before = { address: accessManager, blockNumber: BigInt(startBlock - 1) };
  const code = await chain.client.getCode(before).catch(() => undefined);
  if (code !== undefined)
    throw new DeployError(
      `${given} is too late: the AccessManager ${accessManager} is there in the block before already`,
    );
}

/** By halves. Needs a node that knows old states. */
async function firstBlockWith(chain: DeployChain, address: Address, latest: number): Promise<number> {
  let [without, within] = [-1, latest];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    const code = await chain.client.getCode({ address, blockNumber: BigInt(middle) }).catch(() => {
      throw new DeployError(
        "the contracts stand already, but not since when, and this node does not know old blocks; give --start-block",
      );
    });
    if (code === undefined) without = middle;
    else within = middle;
  }
  return within;
}

/** Wei as whole coins, for people. */
export function inCoins(wei: bigint): string {
  const digits = wei.toString().padStart(19, "0");
  return `${digits.slice(0, -18)}.${digits.slice(-18, -12)}`;
}
