import type { List } from "@aqua/sdk/api/envelope";
import type { Holding, Transaction } from "@aqua/sdk/api/portfolio";
import type { Product } from "@aqua/sdk/api/product";
import { api } from "./app";

export async function products(type: Product["type"]): Promise<Product[]> {
  return (await api<List<Product>>("product/list")).items.filter((product) => product.type === type);
}

/** A wallet of the seeded world with a live receipt of a time deposit. */
export async function depositor(): Promise<{ wallet: string; receipt: Holding }> {
  for (const product of await products("time_deposit")) {
    const { items } = await api<List<Transaction>>(`product/${product.short_id}/transactions?kind=deposit`);
    for (const { address } of items) {
      const held = await api<List<Holding>>(`account/hold/${address}?type=time_deposit`);
      const receipt = held.items.find(({ short_id }) => short_id === product.short_id);
      if (receipt) return { wallet: address, receipt };
    }
  }
  throw new Error("nobody holds a receipt");
}
