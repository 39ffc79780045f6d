import type { PoolAccounts } from "@aqua/sdk/api/incomeProof";
import type { Priced } from "../../indexer/world.ts";

export function tellAccounts({ supply, settled, streaming, streamStart, streamEnd }: Priced): PoolAccounts {
  return {
    supply: String(supply),
    settled: String(settled),
    streaming: String(streaming),
    start: streamStart,
    end: streamEnd,
  };
}
