import { erc20Abi, type Hex } from "viem";
import { withoutReordering } from "../api/text.ts";
import type { ChainClient } from "../chain/client.ts";
import { placeOf } from "./common.ts";
import { type EventOf, lower } from "./events.ts";
import type { ProductRow } from "./rows.ts";

/** A product as the registry lists it, with the names and decimals that its contracts state. */
export async function readProduct(
  client: ChainClient,
  chainId: number,
  event: EventOf<"product_registry"> & { eventName: "ProductListed" },
): Promise<ProductRow> {
  const { shortId, productType } = event.args;
  const [address, asset] = [lower(event.args.product), lower(event.args.asset)];
  const text = async (of: Hex, functionName: "name" | "symbol") =>
    withoutReordering(await client.readContract({ address: of, abi: erc20Abi, functionName }));
  const decimals = (of: Hex) => client.readContract({ address: of, abi: erc20Abi, functionName: "decimals" });
  return {
    ...placeOf(chainId, event),
    ...{ address, shortId, productType, asset },
    assetSymbol: await text(asset, "symbol"),
    assetDecimals: await decimals(asset),
    shareName: await text(address, "name"),
    shareSymbol: await text(address, "symbol"),
    // A receipt of a time deposit cannot be divided.
    shareDecimals: productType === 1 ? 0 : await decimals(address),
  };
}
