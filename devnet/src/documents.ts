import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";

/** Folder of the products' texts and pictures. */
export const productsFolder = fileURLToPath(new URL("../products/", import.meta.url));

/** Hash the registry commits to: keccak-256 of the document's exact bytes. */
export async function documentHash(shortId: string): Promise<Hex> {
  return keccak256(await readFile(`${productsFolder}${shortId}.json`));
}
