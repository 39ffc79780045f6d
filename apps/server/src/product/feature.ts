import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Database } from "../db/database.ts";
import type { Feature } from "../feature.ts";
import type { OpenFindings } from "../findings/open.ts";
import type { IndexedChain } from "../indexer/stamp.ts";
import { documentRoutes } from "./documentRoutes.ts";
import type { Documents } from "./documents.ts";
import { openEvidenceFiles } from "./evidenceFiles.ts";
import type { TraceReport } from "./home.ts";
import { imageRoutes } from "./images.ts";
import { productRoutes } from "./routes.ts";
import { createProductService } from "./service.ts";
import type { CountDevices } from "./summary.ts";

export interface ProductParts {
  db: Database;
  chains: readonly IndexedChain[];
  documents: Documents;
  config: Pick<Config, "productsDir">;
  countDevices: CountDevices;
  traceReport: TraceReport;
  findings: OpenFindings;
}

/** Creates the feature that serves products, their documents and their pictures. */
export function createProductFeature(parts: ProductParts): Feature {
  const { config, ...sources } = parts;
  const { db } = sources;
  const products = createProductService(sources);
  const imageOf = async (shortId: string) => (await products.detail(shortId)).image;
  return {
    routes: [
      productRoutes(products),
      documentRoutes(db, openEvidenceFiles(join(config.productsDir, "documents"))),
      imageRoutes({ productsDir: config.productsDir, imageOf }),
    ],
  };
}
