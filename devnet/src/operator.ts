import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import type { Deployment } from "@aqua/sdk/deployment";
import type { Address, Hex } from "viem";
import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { roleAccount } from "./accounts.ts";
import { documentHash } from "./documents.ts";
import { incomeBetween } from "./income.ts";
import { devnetProducts } from "./products.ts";
import type { Rpc } from "./rpc.ts";
import { reportCall } from "./seed/run.ts";
import type { Call, Sender } from "./sender.ts";

const LOOK_EVERY_MS = 30_000;
const DAY = 86_400;
/** Seconds a block may be behind the wall clock; a report from the future is refused. */
const CLOCK_TOLERANCE = 10;

interface Listing {
  shortId: string;
  vault: Address;
  metadataHash: Hex;
}

async function listings(rpc: Rpc, registry: Address): Promise<Listing[]> {
  return Promise.all(
    devnetProducts.map(async ({ shortId }) => {
      const request = encodeFunctionData({ abi: productRegistryAbi, functionName: "productOf", args: [shortId] });
      const data = await rpc.call<Hex>("eth_call", [{ to: registry, data: request }, "latest"]);
      const answer = decodeFunctionResult({ abi: productRegistryAbi, functionName: "productOf", data });
      return { shortId, vault: answer[0], metadataHash: answer[4] };
    }),
  );
}

async function readVault(rpc: Rpc, vault: Address, functionName: "totalAssets" | "lastReportAsOf"): Promise<bigint> {
  const request = encodeFunctionData({ abi: demandVaultAbi, functionName });
  const data = await rpc.call<Hex>("eth_call", [{ to: vault, data: request }, "latest"]);
  return decodeFunctionResult({ abi: demandVaultAbi, functionName, data });
}

/**
 * Does for the seeded products what their operators would: reports income when it is due, and commits to documents
 * that were edited. Without it reports would grow old and deposits close.
 */
export class Operator {
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(
    readonly sender: Sender,
    readonly deployment: Deployment,
  ) {}

  /** Everything that is due at `now` (Unix seconds, of the chain). */
  async due(now: number): Promise<Call[]> {
    const { rpc } = this.sender;
    const registry = this.deployment.product_registry as Address;
    const calls: Call[] = [];
    for (const { shortId, vault, metadataHash } of await listings(rpc, registry)) {
      const product = devnetProducts.find((candidate) => candidate.shortId === shortId);
      if (product === undefined) continue;
      const lastAsOf = Number(await readVault(rpc, vault, "lastReportAsOf"));
      if (now - lastAsOf >= product.reportEveryDays * DAY) {
        const gain = incomeBetween(product, lastAsOf, now, await readVault(rpc, vault, "totalAssets"));
        calls.push(reportCall(vault, gain, now, `report ${shortId}`));
      }
      const wanted = await documentHash(shortId);
      if (wanted !== metadataHash) {
        const args = [shortId, wanted] as const;
        const data = encodeFunctionData({ abi: productRegistryAbi, functionName: "setMetadata", args });
        calls.push({ from: roleAccount("owner"), to: registry, data, what: `commit to the document of ${shortId}` });
      }
    }
    return calls;
  }

  /** Does at once, in a block of its own, what fell due while the chain was stopped. */
  async catchUp(): Promise<void> {
    const calls = await this.due(Math.floor(Date.now() / 1000) - CLOCK_TOLERANCE);
    if (calls.length > 0) await this.sender.block(calls);
    await this.sender.settle();
  }

  /** Sends what is due, for the chain's next block; rejects first if what was sent before has failed. */
  async work(): Promise<void> {
    await this.sender.settle();
    const latest = await this.sender.rpc.call<{ timestamp: Hex }>("eth_getBlockByNumber", ["latest", false]);
    await this.sender.submit(await this.due(Number(latest.timestamp)));
  }

  /** Looks again and again until `stop`. What fails is tried again at the next look. */
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
}
