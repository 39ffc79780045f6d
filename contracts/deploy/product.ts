import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import type { Deployment } from "@aqua/sdk/deployment";
import { type Abi, type Account, type Address, type Hex, zeroAddress } from "viem";
import { decodeFunctionData, encodeFunctionData, getAddress, isAddressEqual } from "viem/utils";
import { otherImmutable, readArtefact } from "./artefacts.ts";
import { create2Address, DeployChain, type Transaction, transactionOf } from "./chain.ts";
import { ConfigFault, type DemandProduct, type TimeProduct } from "./config.ts";
import { type Artefacts, contractNames, creator } from "./creations.ts";
import { type Figure, productFigures } from "./figures.ts";
import { type OwnerTask, ownerTask } from "./ownerTask.ts";
import {
  checkEvidenceUntil,
  evidenceStep,
  functionRoles,
  type ProductSteps,
  productSteps,
  rendererCreation,
  type World,
} from "./plan.ts";
import { checkAssets, checkProxy, checkPublished, receiversOf } from "./run.ts";
import { percentText } from "./settingText.ts";
import { type Call, type Creation, DeployError, type Setting, type Step } from "./steps.ts";

/** A product as it is wanted on its chain. */
export interface WantedProduct {
  product: DemandProduct | TimeProduct;
  /** Part of the addresses of its contracts. */
  salt: string;
  /** Hash of the document that a renewal of the evidence names; null for a product without devices. */
  evidence: Hex | null;
}

/** What the registry says of a product. */
export interface Listing {
  open: boolean;
  documentHash: Hex;
}

/** A contract to create, which any account may do. */
export interface CreationAct extends Transaction {
  kind: "create";
  what: string;
  address: Address;
}
/** A call that an account with a role may make. */
export interface CallAct extends OwnerTask {
  kind: "call";
  /** Name of the role that may make it. */
  role: string;
  /** What changes by it, where the product is on the chain already. */
  changes: readonly Setting[];
}
export type ProductAct = CreationAct | CallAct;

/** `send`: an account may make the call now. `schedule`: it has to announce it first. `wait`: it is announced. */
export type ActState = "send" | "schedule" | "wait" | "none";

export interface ProductOnChain {
  /** Where its contract is, or will be. */
  address: Address;
  listing: Listing | null;
  /** Unix seconds; null where deposits are not paused. */
  pausedUntil: number | null;
  /** Unix seconds of the newest block. */
  time: number;
  /** What brings the chain to what is wanted, in this order. */
  acts: readonly ProductAct[];
}

/** A call that an account has scheduled at the AccessManager and that is neither made, cancelled nor expired. */
export interface ScheduledAct {
  what: string;
  by: Address;
  from: number;
  until: number;
}

/** What may happen to an act now. */
export function stateOf(act: ProductAct, time: number): ActState {
  if (act.kind === "create") return "send";
  if (act.by === null) return "none";
  if (act.schedule !== null) return "schedule";
  if (act.waitsFor !== null) return "wait";
  return act.scheduled !== null && act.scheduled.from > time ? "wait" : "send";
}

/** The transaction that an account sends now for an act; null where there is none. */
export function transactionNow(act: ProductAct, time: number): { to: Address; data: Hex } | null {
  const state = stateOf(act, time);
  if (state === "schedule" && act.kind === "call") return act.schedule;
  if (state !== "send" || act.to === null) return null;
  return { to: act.to, data: act.data };
}

interface Known {
  deployment: Deployment;
  wanted: WantedProduct;
  artefacts: Artefacts;
  /** Who holds a role, after the account that acts where several may. */
  accounts: readonly Address[];
}

/** What the transaction of `transactionNow` does, in words. */
export const whatNow = (act: ProductAct, time: number) =>
  stateOf(act, time) === "schedule" ? `schedule: ${act.what}` : act.what;

/** Whether an account may do an act: creations, and calls of its roles. */
export const isOf = (act: ProductAct, account: Address) =>
  act.kind === "create" || (act.by !== null && isAddressEqual(act.by, account));

/** A product on one chain, with the contracts that the chain has already. */
export class ProductChain {
  private constructor(
    readonly chain: DeployChain,
    private readonly known: Known,
  ) {}

  /**
   * Connects, and finds who holds roles.
   * @param first the account that acts where several may
   * @throws DeployError
   */
  static async open({
    rpcUrl,
    deployment,
    wanted,
    first,
  }: {
    rpcUrl: string;
    deployment: Deployment;
    wanted: WantedProduct;
    first: Address | null;
  }): Promise<ProductChain> {
    const chain = await DeployChain.connect(rpcUrl, deployment.chain_id);
    const manager = deployment.access_manager as Address;
    if ((await chain.codeAt(manager)) === null)
      throw new DeployError(
        `chain ${deployment.chain_id} has no contract at the AccessManager ${manager} of the deployment`,
      );
    const artefacts = Object.fromEntries(
      await Promise.all(contractNames.map(async (name) => [name, await readArtefact(name)] as const)),
    ) as Artefacts;
    const members = await chain.members(manager, deployment.start_block);
    const accounts = [...(first === null ? [] : [first]), ...members.map(({ account }) => account)];
    checkPublished(deployment.chain_id, receiversOf([wanted.product]));
    await checkAssets(chain, { products: [wanted.product] });
    return new ProductChain(chain, { deployment, wanted, artefacts, accounts: [...new Set(accounts)] });
  }

  /** Compares what is wanted with the chain. @throws ConfigFault for a field that can never change, else DeployError */
  async look(): Promise<ProductOnChain> {
    const { steps, product, listing } = await this.#steps();
    const states = await Promise.all(steps.map((step) => this.chain.stateOf(step)));
    for (const [index, step] of steps.entries()) {
      const found = states[index];
      if (found?.state === "wrong") throw await this.#fault(step, found);
    }
    const time = await this.chain.time();
    const missing = steps.filter((_, index) => states[index]?.state === "missing");
    checkEvidenceUntil(missing, this.known.wanted.product, { time, path: ["evidence_until"] });
    const found = steps.map(async (step, index): Promise<ProductAct[]> => {
      const state = states[index];
      if (state?.state !== "missing") return [];
      if (step.kind === "create") return [this.#creation(step)];
      return Promise.all(state.calls.map((call) => this.#act(call, listing !== null)));
    });
    const acts = (await Promise.all(found)).flat();
    return { address: product.address, listing, pausedUntil: await this.#pausedUntil(product, time), time, acts };
  }

  /** The acts that open a closed product, and end a pause; or that close it, for 7 days where `pause` is set. */
  async opening(how: "open" | "close" | "pause"): Promise<ProductOnChain> {
    const { product, listing } = await this.#steps();
    const { shortId } = this.known.wanted.product;
    if (listing === null) throw new DeployError(`${shortId} is not listed on chain ${this.known.deployment.chain_id}`);
    const time = await this.chain.time();
    const pausedUntil = await this.#pausedUntil(product, time);
    const call = (what: string, to: Address, data: Hex): Call => ({ what: `${what} ${shortId}`, to, data, reads: [] });
    const registry = this.known.deployment.product_registry as Address;
    const status = (functionName: "open" | "close") =>
      call(functionName, registry, encodeFunctionData({ abi: productRegistryAbi, functionName, args: [shortId] }));
    const pause = (what: string, functionName: "pause" | "unpause") =>
      call(what, product.address, encodeFunctionData({ abi: demandVaultAbi, functionName }));
    const calls = {
      open: [
        ...(listing.open ? [] : [status("open")]),
        ...(pausedUntil === null ? [] : [pause("end the pause of", "unpause")]),
      ],
      close: listing.open ? [status("close")] : [],
      pause: pausedUntil === null ? [pause("pause", "pause")] : [],
    }[how];
    const acts = await Promise.all(calls.map((one) => this.#act(one, false)));
    return { address: product.address, listing, pausedUntil, time, acts };
  }

  /** The figures of the product's contract; empty where there is none yet. */
  async figures(): Promise<Figure[]> {
    const { product } = await this.#steps();
    if ((await this.chain.codeAt(product.address)) === null) return [];
    return productFigures(this.chain.client, product.address, this.known.wanted.product);
  }

  /** What accounts have scheduled about the product, soonest first, also what the file does not ask for. */
  async scheduled(): Promise<ScheduledAct[]> {
    const { product, steps } = await this.#steps();
    const calls = steps.flatMap((step) => (step.kind === "call" ? step.calls : []));
    const found = await this.chain.scheduled(
      this.known.deployment.access_manager as Address,
      this.known.deployment.start_block,
    );
    return found
      .flatMap(({ caller, target, data, from, until }) => {
        const known = calls.find((call) => isAddressEqual(call.to, target) && call.data === data);
        const what = known?.what ?? this.#wordsOf(product, target, data);
        return what === null ? [] : [{ what, by: caller, from, until }];
      })
      .sort((one, other) => one.from - other.from);
  }

  /**
   * Sends all that the account may send now: creations, announcements, and calls whose delay has passed.
   * @returns how many transactions it has sent
   * @throws DeployError
   */
  async send(
    account: Account,
    { acts, time }: ProductOnChain,
    { confirmations, progress }: { confirmations: number; progress: (what: string) => void },
  ): Promise<number> {
    let sent = 0;
    for (const act of acts) {
      const transaction = isOf(act, account.address) ? transactionNow(act, time) : null;
      if (transaction === null) continue;
      const what = whatNow(act, time);
      progress(what);
      await this.chain.send(account, transaction, { what, confirmations });
      sent++;
    }
    return sent;
  }

  async #steps(): Promise<{ steps: Step[]; product: Creation; listing: Listing | null }> {
    const { product: wanted, salt, evidence } = this.known.wanted;
    const { access_manager, identity_registry, product_registry, test_dollar, chain_id } = this.known.deployment;
    const manager = access_manager as Address;
    const registry = product_registry as Address;
    const create = creator(this.known.artefacts, chain_id, (key, initCode) => create2Address(salt, key, initCode));
    const listed = await this.chain.listed(registry, wanted.shortId);
    const renderer = rendererCreation(create);
    const worldWith = (values: Partial<World>): World => ({
      create,
      manager,
      identity: identity_registry as Address,
      registry,
      renderer: renderer.address,
      dollar: (test_dollar as Address | undefined) ?? null,
      listed: new Map(),
      queues: new Map(),
      ...values,
    });
    if (listed === null) {
      await checkProxy(this.chain);
      const planned = productSteps(worldWith({}), wanted);
      return { steps: [renderer, ...this.#allSteps(planned)], product: planned.product, listing: null };
    }
    await this.#checkType(listed);
    const base = worldWith({ listed: new Map([[wanted.shortId, listed]]) });
    const planned = productSteps(
      {
        ...base,
        renderer: await this.#rendererOf(productSteps(base, wanted).product),
        queues: await this.#queueOf(listed),
      },
      wanted,
    );
    const renewal = await this.#renewal(planned.product, evidence);
    const listing = await this.#listingOf(registry, wanted.shortId);
    return { steps: [...this.#allSteps(planned), ...renewal], product: planned.product, listing };
  }

  /** Listed last, so that no depositor finds a product that the guardian cannot pause yet. */
  #allSteps({ product, creations, setup, listing }: ProductSteps): Step[] {
    const roles = functionRoles(this.known.deployment.access_manager as Address, product);
    return [...creations, ...setup, roles, ...listing];
  }

  /** A product's contract never becomes one of the other type. */
  async #checkType(address: Address): Promise<void> {
    const { shortId, type } = this.known.wanted.product;
    const args = [shortId] as const;
    const read = { address: this.known.deployment.product_registry as Address, abi: productRegistryAbi, args } as const;
    const [, found] = await this.chain.client.readContract({ ...read, functionName: "productOf" });
    if ((found === 0) === (type === "demand_deposit")) return;
    const is = found === 0 ? "demand_deposit" : "time_deposit";
    throw new ConfigFault(["type"], `${address} is a ${is} for good; ${anotherProduct}`);
  }

  async #listingOf(address: Address, shortId: string): Promise<Listing> {
    const read = { address, abi: productRegistryAbi, functionName: "productOf", args: [shortId] } as const;
    const [, , , status, documentHash] = await this.chain.client.readContract(read);
    return { open: status === 0, documentHash };
  }

  /** The renderer that a contract has for good, wherever it was put. */
  async #rendererOf({ address, runtime }: Creation): Promise<Address> {
    const code = await this.chain.codeAt(address);
    const renderer = runtime.immutables.find(({ name }) => name === "renderer");
    if (code === null || renderer === undefined || code.length !== runtime.code.length)
      throw new DeployError(`the code at ${address} is of another version of Aqua; use that version`);
    const start = (renderer.starts[0] ?? 0) * 2 + 2;
    return `0x${code.slice(start + 24, start + 64)}`;
  }

  async #queueOf(address: Address): Promise<Map<string, Address>> {
    const { type, shortId } = this.known.wanted.product;
    if (type === "time_deposit") return new Map();
    const { queue } = await this.chain.client.readContract({ address, abi: demandVaultAbi, functionName: "desk" });
    return queue === zeroAddress ? new Map() : new Map([[shortId, queue]]);
  }

  async #renewal(product: Creation, document: Hex | null): Promise<Step[]> {
    const { address } = product;
    const wanted = this.known.wanted.product;
    const found = BigInt(
      wanted.type === "demand_deposit"
        ? (await this.chain.client.readContract({ address, abi: demandVaultAbi, functionName: "desk" })).evidenceUntil
        : await this.chain.client.readContract({ address, abi: termDepositAbi, functionName: "evidenceUntil" }),
    );
    if ((found === 0n) !== (wanted.evidenceUntil === 0n)) {
      const is =
        found === 0n ? "without devices, whose evidence has no date" : "with devices, whose evidence has a date";
      throw new ConfigFault(["evidence_until"], `the product on the chain is one ${is}, for good; ${anotherProduct}`);
    }
    return document === null ? [] : [evidenceStep(product, wanted, { found, document })];
  }

  async #pausedUntil({ address, contract }: Creation, time: number): Promise<number | null> {
    if ((await this.chain.codeAt(address)) === null) return null;
    const { client } = this.chain;
    const until =
      contract === "DemandVault"
        ? await client.readContract({ address, abi: demandVaultAbi, functionName: "pausedUntil" })
        : (await client.readContract({ address, abi: termDepositAbi, functionName: "limits" }))[2];
    return Number(until) > time ? Number(until) : null;
  }

  async #fault(step: Step, { why, field }: { why: string; field: string | undefined }): Promise<DeployError> {
    if (field === undefined) return new DeployError(why);
    const path = field.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part));
    const code = step.kind === "create" ? await this.chain.codeAt(step.address) : null;
    const other = step.kind === "create" && code !== null ? otherImmutable(step.runtime, code) : null;
    const words =
      other === null ? why.replace(/; put that value into the configuration.*$/, "") : immutableWords(other);
    return new ConfigFault(path, step.kind === "create" ? `${words}; ${anotherProduct}` : words);
  }

  #creation(step: Creation): CreationAct {
    return {
      kind: "create",
      what: step.what,
      address: step.address,
      ...transactionOf(step, [], this.known.wanted.salt),
    };
  }

  async #act(call: Call, withChanges: boolean): Promise<CallAct> {
    const accessManager = this.known.deployment.access_manager as Address;
    const task = await ownerTask({ chain: this.chain, accessManager, call, candidates: this.known.accounts });
    const role = await this.chain.roleOf(accessManager, call);
    return { ...task, kind: "call", role, changes: withChanges ? await this.chain.changesOf(call) : [] };
  }

  /** A scheduled call in words; null where it is not about the product. */
  #wordsOf({ address, contract }: Creation, target: Address, data: Hex): string | null {
    const { access_manager, product_registry } = this.known.deployment;
    const ofProduct: Abi = contract === "DemandVault" ? demandVaultAbi : termDepositAbi;
    const abis: [Address, Abi][] = [
      [address, ofProduct],
      [product_registry as Address, productRegistryAbi],
      [access_manager as Address, accessManagerAbi],
    ];
    const abi = abis.find(([of]) => isAddressEqual(of, target))?.[1];
    if (abi === undefined) return null;
    try {
      const { functionName, args = [] } = decodeFunctionData({ abi, data });
      const about = [target, ...args].some(
        (arg) => arg === this.known.wanted.product.shortId || String(arg).toLowerCase() === address.toLowerCase(),
      );
      return about ? `${functionName}(${args.map(String).join(", ")})` : null;
    } catch {
      return isAddressEqual(target, address) ? `a call that this version does not know, ${data}` : null;
    }
  }
}

const anotherProduct = "put that value into the file, or take another short_id for a new product";

function immutableWords({ name, found, value }: NonNullable<ReturnType<typeof otherImmutable>>): string {
  const words = (word: Hex) => {
    if (name === "asset" || name === "custodian") return getAddress(`0x${word.slice(26)}`);
    return name === "maxRate" || name === "buffer" ? percentText(BigInt(word)) : String(BigInt(word));
  };
  return `the product on the chain has ${words(found)} for good, the file says ${words(value)}`;
}
