import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { nameHex } from "@aqua/sdk/proofs/reading";
import { type Address, createPublicClient, http } from "viem";
import { gainFor } from "../income.ts";
import type { IncomeSource } from "../operator.ts";
import { countedBetween } from "./figures.ts";

/** Income by the fleet's model, for worlds without a server to ask. It names the stream's head on chain. */
export function modelIncome(rpcUrl: string, telemetryAnchor: Address): IncomeSource {
  const client = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }), cacheTime: 0 });
  return async (shortId, { from, to, assets, closed }) => {
    const [head] = await client.readContract({
      address: telemetryAnchor,
      abi: telemetryAnchorAbi,
      functionName: "streamOf",
      args: [nameHex(shortId)],
    });
    // The devices of a closed product are removed.
    const counted = closed ? 0n : countedBetween(shortId, from, to);
    return { gain: gainFor(shortId, counted, assets), asOf: to, evidence: head };
  };
}
