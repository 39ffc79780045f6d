import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { type Documents, type DocumentsLog, watchDocuments } from "./documents.ts";
import { imageRoutes } from "./images.ts";
import { productRoutes } from "./routes.ts";
import { createProductService } from "./service.ts";
import type { CountDevices } from "./summary.ts";

export interface ProductParts {
  db: Database;
  chains: readonly IndexedChain[];
  config: Pick<Config, "productsDir">;
  countDevices: CountDevices;
  log: DocumentsLog;
}

export interface ProductFeature extends Feature {
  /** Grows by what is written or edited while the server runs. */
  documents: Documents;
}

/** Products, their documents and pictures. */
export async function createProductFeature(parts: ProductParts): Promise<ProductFeature> {
  const { db, chains, config, countDevices, log } = parts;
  const { documents, stop } = await watchDocuments(config.productsDir, log);
  const products = createProductService({ db, chains, documents, countDevices });
  const imageOf = async (shortId: string) => (await products.detail(shortId)).image;
  return {
    routes: [productRoutes(products), imageRoutes({ productsDir: config.productsDir, imageOf })],
    documents,
    stop,
  };
}
