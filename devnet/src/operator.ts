import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { readStoredReceipt } from "@aqua/sdk/chain/published-figures";
import type { Deployment } from "@aqua/sdk/deployment";
import { DAY, HOUR } from "@aqua/sdk/durations";
import { vaultBuffer } from "@aqua/sdk/maths/exit";
import { bufferOf, freeInterest } from "@aqua/sdk/maths/receipts";
import { gainBound } from "@aqua/sdk/maths/report";
import { previewMint } from "@aqua/sdk/maths/shares";
import { type Abi, type Address, createPublicClient, type Hex, http, type PublicClient } from "viem";
import { encodeFunctionData } from "viem/utils";
import { roleAccount } from "./accounts.ts";
import { interestToFund, servesQueue, termHorizon, termMove, vaultMove } from "./desk.ts";
import { documentHash, productsFolder } from "./documents.ts";
import {
  type DevnetProduct,
  devnetProducts,
  dollars,
  shortIds,
  type TimeProduct,
  timeProducts,
  vaultLimits,
} from "./products.ts";
import { autoRollCall, fundCall, moveCall, processCall, renewCall, reportCall, skimCall } from "./seed/calls.ts";
import { RENEWED_FOR } from "./seed/evidence.ts";
import type { Call, Sender } from "./sender.ts";

const LOOK_EVERY_MS = 30_000;
/** Seconds before its expiry at which evidence is renewed. */
const RENEWED_BEFORE = 30 * DAY;
const CLOSED = 1;
/** Seconds by which a block may be behind the wall clock. A report from the future is refused. */
const CLOCK_TOLERANCE = 10;
/** Minimum amount of fees that is collected. */
const WORTH_SKIMMING = dollars(25);
/** Maximum number of rounds while catching up, because one round may make more calls due. */
const MAX_ROUNDS = 5;

/** A report that is due. It covers the time after `from`, at the latest up to `to` (Unix seconds). */
export interface DueReport {
  from: number;
  to: number;
  /** Total assets at `to`, smallest units. */
  assets: bigint;
  closed: boolean;
}

/**
 * Returns the income to report for a product; null while it is unknown. `evidence` is the head that the report is based
 * on.
 */
export type IncomeSource = (
  shortId: string,
  due: DueReport,
) => Promise<{ gain: bigint; asOf: number; evidence: Hex } | null>;

interface Listing {
  product: Address;
  status: number;
  metadataHash: Hex;
  /** Hash of the product's edited document, or of the listed one while the edited one has a fault. */
  document: Hex;
}

/**
 * Does the work of operators and keepers for the seeded products: reports income, deploys and returns money, processes
 * queues, funds interest, rolls receipts over, renews evidence, and commits to edited documents. Without it, reports
 * would become too old, deposits would close and exits would wait without end.
 */
export class Operator {
  readonly #client: PublicClient;
  /** Logged faults of documents, by product. */
  readonly #faults = new Map<string, string>();
  readonly #logs = new Map<Address, { next: bigint; logs: unknown[] }>();
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    readonly sender: Sender,
    readonly deployment: Deployment,
    readonly sources: {
      income: IncomeSource;
      /** Folder with the products' edited documents, and the logger of faults in them. */
      folder?: string;
      warn?: (message: string) => void;
    },
  ) {
    const transport = http(sender.rpc.url, { retryCount: 0, batch: true });
    this.#client = createPublicClient({ transport, cacheTime: 0 });
  }

  /** Returns all calls that are due at `now` (Unix seconds, of the chain). */
  async due(now: number): Promise<Call[]> {
    const listings = await Promise.all(shortIds.map((shortId) => this.#listing(shortId)));
    const listed = new Map(shortIds.map((shortId, index) => [shortId, listings[index] as Listing]));
    const of = (shortId: string) => listed.get(shortId) as Listing;
    const calls = await Promise.all([
      ...shortIds.map((shortId) => this.#document(shortId, of(shortId))),
      ...devnetProducts.map((product) => this.#vault(product, of(product.shortId), now)),
      ...timeProducts.map((product) => this.#term(product, of(product.shortId), now)),
    ]);
    return calls.flat();
  }

  /** Executes at once, in separate blocks, all calls that became due while the chain was stopped. */
  async catchUp(): Promise<void> {
    // One round can make more calls due: after a report, for example, a queue can be served.
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const calls = await this.due(Math.floor(Date.now() / 1000) - CLOCK_TOLERANCE);
      if (calls.length === 0) break;
      await this.sender.block(calls);
      await this.sender.settle();
    }
  }

  /** Sends the due calls for the chain's next block. Rejects first if an earlier call has failed. */
  async work(): Promise<void> {
    await this.sender.settle();
    const { timestamp } = await this.#client.getBlock();
    await this.sender.submit(await this.due(Number(timestamp)));
  }

  /** Repeats the check until `stop`. A failed call is tried again at the next check. */
  start(failed: (error: unknown) => void): void {
    const look = () => {
      this.#working = this.work().catch((error) => {
        if (!this.#stopped) failed(error);
      });
      this.#working.then(() => {
        if (!this.#stopped) this.#timer = setTimeout(look, LOOK_EVERY_MS).unref();
      });
    };
    this.#timer = setTimeout(look, LOOK_EVERY_MS).unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #read<Answer>(call: {
    address: Address;
    abi: Abi;
    functionName: string;
    args?: readonly unknown[];
  }): Promise<Answer> {
    return (await this.#client.readContract({ args: [], ...call })) as Answer;
  }

  async #listing(shortId: string): Promise<Listing> {
    const registry = this.deployment.product_registry as Address;
    const [product, , , status, metadataHash] = await this.#client.readContract({
      address: registry,
      abi: productRegistryAbi,
      functionName: "productOf",
      args: [shortId],
    });
    return { product, status, metadataHash, document: await this.#documentOf(shortId, metadataHash) };
  }

  /** The registry commits only to a valid document: with an invalid one the page would have no texts. */
  async #documentOf(shortId: string, listed: Hex): Promise<Hex> {
    const { folder = productsFolder, warn = console.error } = this.sources;
    try {
      const hash = await documentHash(shortId, folder);
      this.#faults.delete(shortId);
      return hash;
    } catch (error) {
      const fault = (error as Error).message;
      if (this.#faults.get(shortId) !== fault) warn(`The document of ${shortId} stays as it is listed: ${fault}`);
      this.#faults.set(shortId, fault);
      return listed;
    }
  }

  async #document(shortId: string, { metadataHash, document }: Listing): Promise<Call[]> {
    if (document === metadataHash) return [];
    const args = [shortId, document] as const;
    const data = encodeFunctionData({ abi: productRegistryAbi, functionName: "setMetadata", args });
    const to = this.deployment.product_registry as Address;
    return [{ from: roleAccount("editor"), to, data, what: `commit to the document of ${shortId}` }];
  }

  /** Does one thing at a time for a vault: report, process its queue, move its money, or collect its fees. */
  async #vault(product: DevnetProduct, listing: Listing, now: number): Promise<Call[]> {
    const { product: vault, status } = listing;
    const { shortId, reportEveryDays } = product;
    const closed = status === CLOSED;
    const [lastAsOf, totalAssets, supply, desk, stream, setAside, inside] = await Promise.all([
      this.#read<bigint>({ address: vault, abi: demandVaultAbi, functionName: "lastReportAsOf" }),
      this.#read<bigint>({ address: vault, abi: demandVaultAbi, functionName: "totalAssets" }),
      this.#read<bigint>({ address: vault, abi: demandVaultAbi, functionName: "totalSupply" }),
      this.#client.readContract({ address: vault, abi: demandVaultAbi, functionName: "desk" }),
      this.#client.readContract({ address: vault, abi: demandVaultAbi, functionName: "stream" }),
      this.#read<bigint>({ address: vault, abi: demandVaultAbi, functionName: "setAside" }),
      this.#balance(vault),
    ]);
    const asOf = Number(lastAsOf);
    if (now - asOf >= reportEveryDays * DAY) {
      const next = await this.sources.income(shortId, { from: asOf, to: now, assets: totalAssets, closed });
      if (next !== null && next.asOf > asOf && next.asOf <= now) {
        const bound = gainBound(totalAssets, vaultLimits.maxRate, BigInt(next.asOf - asOf));
        return [
          reportCall({
            shortId,
            vault,
            delta: next.gain < bound ? next.gain : bound,
            asOf: next.asOf,
            evidence: next.evidence,
          }),
        ];
      }
    }
    const renewal = this.#renewal(shortId, listing, { until: desk.evidenceUntil, now });
    if (renewal.length > 0) return renewal;
    const { queue, deployed, buffer } = desk;
    const [, due, processed] = await this.#client.readContract({
      address: queue,
      abi: redemptionQueueAbi,
      functionName: "totals",
    });
    const held = stream[0] + stream[1];
    const idle = held - deployed;
    if (due > processed && servesQueue(idle)) return [processCall(shortId, queue)];
    const queued = await this.#client.readContract({
      address: vault,
      abi: demandVaultAbi,
      functionName: "balanceOf",
      args: [queue],
    });
    const money = {
      idle,
      deployed,
      closed,
      kept: vaultBuffer(held, buffer),
      owed: previewMint(queued, { totalAssets: held, supply }),
      waitingSince: queued === 0n ? null : await this.#waitingSince(queue, processed),
    };
    const move = vaultMove(product, money, now);
    if (move !== null) return [moveCall(shortId, vault, move)];
    return inside - setAside - idle >= WORTH_SKIMMING && Math.floor(now / DAY) % 30 === 0
      ? [skimCall(shortId, vault)]
      : [];
  }

  /** Renews evidence that lapses soon or has lapsed. Evidence without an expiry is left alone. */
  #renewal(shortId: string, { product, document }: Listing, { until, now }: { until: number; now: number }): Call[] {
    const due = until !== 0 && until - now < RENEWED_BEFORE;
    return due ? [renewCall({ shortId, product, document, until: now + RENEWED_FOR })] : [];
  }

  /** Returns the time at which the first request that is not fully processed entered the queue. */
  async #waitingSince(queue: Address, processed: bigint): Promise<number | null> {
    const requests = await this.#seen(queue, (range) =>
      this.#client.getContractEvents({
        address: queue,
        abi: redemptionQueueAbi,
        eventName: "RedeemRequest",
        strict: true,
        ...range,
      }),
    );
    let end = 0n;
    for (const { args, blockNumber } of requests) {
      end += args.shares;
      if (end > processed) return Number((await this.#client.getBlock({ blockNumber })).timestamp);
    }
    return null;
  }

  /** Returns all events of a kind that a contract has emitted. Each call fetches only those since the last call. */
  async #seen<Log>(
    address: Address,
    ask: (range: { fromBlock: bigint; toBlock: bigint }) => Promise<Log[]>,
  ): Promise<Log[]> {
    const known = this.#logs.get(address) ?? { next: BigInt(this.deployment.start_block), logs: [] };
    const toBlock = await this.#client.getBlockNumber();
    if (toBlock >= known.next) {
      known.logs.push(...(await ask({ fromBlock: known.next, toBlock })));
      known.next = toBlock + 1n;
      this.#logs.set(address, known);
    }
    return known.logs as Log[];
  }

  async #balance(holder: Address): Promise<bigint> {
    const dollar = this.deployment.test_dollar as Address;
    return this.#client.readContract({
      address: dollar,
      abi: demandVaultAbi,
      functionName: "balanceOf",
      args: [holder],
    });
  }

  async #term(product: TimeProduct, listing: Listing, now: number): Promise<Call[]> {
    const { shortId, buffer } = product;
    const { product: address } = listing;
    const [books, until, opened] = await Promise.all([
      this.#client.readContract({ address, abi: termDepositAbi, functionName: "books" }),
      this.#client.readContract({ address, abi: termDepositAbi, functionName: "evidenceUntil" }),
      this.#seen(address, (range) =>
        this.#client.getContractEvents({
          address,
          abi: termDepositAbi,
          eventName: "Opened",
          strict: true,
          ...range,
        }),
      ),
    ]);
    if (books.claims > 0n) return [];
    const renewal = this.#renewal(shortId, listing, { until, now });
    if (renewal.length > 0) return renewal;
    const ids = opened.map(({ args }) => args.id);
    const receipts = await Promise.all(
      ids.map(async (id) => ({ id, ...(await readStoredReceipt(this.#client, { contract: address, id })) })),
    );
    const live = receipts.filter(({ state }) => state === "running" || state === "matured");
    const principal = books.liabilities - books.reserved;
    const within = live.filter(({ maturity }) => maturity <= BigInt(termHorizon(now)));
    const due = within.reduce((all, receipt) => all + receipt.principal, 0n);
    const accounts = { ...books, buffer };
    const funds = interestToFund(product, freeInterest(accounts));
    if (funds > 0n) return [fundCall(shortId, address, funds)];
    const { deployed } = books;
    const move = termMove(product, { principal, due, deployed, kept: bufferOf(accounts) }, now);
    const rolling = live.filter(
      ({ maturity, roll }) => roll !== "none" && Number(maturity) + 60 < now && now < Number(maturity) + ROLL_WINDOW,
    );
    const rolls = await Promise.all(rolling.map(({ id }) => this.#autoRoll(shortId, address, id)));
    return [...(move === null ? [] : [moveCall(shortId, address, move)]), ...rolls.flat()];
  }

  /** Returns the call only if it would succeed: a term may be full, or an identity record expired. */
  async #autoRoll(shortId: string, product: Address, id: bigint): Promise<Call[]> {
    const call = autoRollCall(shortId, product, id);
    const works = await this.#client
      .call({ account: call.from.address, to: product, data: call.data })
      .then(() => true)
      .catch(() => false);
    return works ? [call] : [];
  }
}

/** The contract's window for an instruction, less an hour. */
const ROLL_WINDOW = 3 * DAY - HOUR;
