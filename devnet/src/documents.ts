import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentFault } from "@aqua/contracts/deploy/documentFault";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";

/**
 * Folder of the products' texts and pictures. Browser tests change them, so they set a separate folder for each world.
 */
export const productsFolder =
  process.env.DEVNET_PRODUCTS_DIR?.trim() || fileURLToPath(new URL("../products/", import.meta.url));

/**
 * Returns the hash that the registry commits to: keccak-256 of the document's exact bytes.
 * @throws Error naming file and line when the file is not a document of this product
 */
export async function documentHash(shortId: string, folder = productsFolder): Promise<Hex> {
  const file = `${shortId}.json`;
  const bytes = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read: ${error.code}`);
  });
  const fault = documentFault(bytes.toString("utf8"), shortId);
  if (fault !== null) throw new Error(`${file}${fault}`);
  return keccak256(bytes);
}
