import { gt, inArray } from "drizzle-orm";
import type { Orm } from "../db/database.ts";
import { product } from "../indexer/schema.ts";
import { device } from "../telemetry/schema.ts";
import { type DeviceRow, newReplay, type Replay } from "./replay.ts";
import { type About, compareColumns, type Slice } from "./slice.ts";

/** The enrolled devices, each with its state so far. */
export interface Fleet {
  byId: Map<number, Replay>;
  byName: Map<string, Replay>;
  /** Adds devices that were enrolled since the last call. */
  refresh(orm: Orm): Promise<void>;
  /** A row of a device: its words and whom it concerns. */
  about(table: string, device: DeviceRow, detail?: string): About;
  /** The product's address on its chain. Empty if the chain lists none. */
  productOf(chainId: number, shortId: string): Pick<About, "product">;
}

export async function readFleet(orm: Orm, chainIds: readonly number[]): Promise<Fleet> {
  const products = await orm
    .select({ chainId: product.chainId, shortId: product.shortId, address: product.address })
    .from(product)
    .where(inArray(product.chainId, [...chainIds]));
  const addresses = new Map(products.map(({ chainId, shortId, address }) => [`${chainId} ${shortId}`, address]));
  const fleet: Fleet = {
    byId: new Map(),
    byName: new Map(),
    async refresh(of) {
      const last = Math.max(0, ...fleet.byId.keys());
      for (const row of await of.select().from(device).where(gt(device.id, last)).orderBy(device.id)) {
        const replay = newReplay(row);
        fleet.byId.set(row.id, replay);
        fleet.byName.set(row.name, replay);
      }
    },
    about: (table, { id, name, chainId, shortId }, detail) => ({
      table,
      row: detail === undefined ? `device ${id}` : `device ${id}, ${detail}`,
      device: name,
      ...fleet.productOf(chainId, shortId),
    }),
    productOf(chainId, shortId) {
      const address = addresses.get(`${chainId} ${shortId}`);
      return address === undefined ? {} : { product: address.toLowerCase() };
    },
  };
  await fleet.refresh(orm);
  return fleet;
}

/** The columns of a device that its readings in a batch file state. */
export type StatedDevice = Pick<DeviceRow, "name" | "chainId" | "shortId" | "coSigner" | "exponent"> & {
  metric: string;
};

/** Compares a device with what its signed readings state, and goes on with what they state. */
export function correctDevice({ slice, fleet }: { slice: Slice; fleet: Fleet }, replay: Replay, stated: StatedDevice) {
  const { device } = replay;
  compareColumns(slice, fleet.about("device", device), {
    name: [stated.name, device.name],
    chain_id: [stated.chainId, device.chainId],
    short_id: [stated.shortId, device.shortId],
    metric: [stated.metric, device.metric],
    exponent: [stated.exponent, device.exponent],
    co_signer: [stated.coSigner, device.coSigner],
  });
  replay.device = { ...device, ...stated, metric: stated.metric as DeviceRow["metric"] };
  fleet.byName.set(stated.name, replay);
}
