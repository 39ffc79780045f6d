import { writeFile } from "node:fs/promises";
import { type Address, getAddress, type Hex, keccak256, stringToHex } from "viem";
import { CommandError } from "./api.ts";

export interface SafeCall {
  to: Address;
  data: Hex;
  /** In wei; 0 by default. */
  value?: bigint;
}

export interface SafeBatch {
  chainId: number;
  /** What the owners of the Safe read in the list of batches. */
  name: string;
  /** What the calls do, for the owners who sign them. */
  description: string;
  calls: readonly SafeCall[];
}

/** The version whose format and checksum these files have. */
const TX_BUILDER_VERSION = "1.18.3";

/** The file as the Transaction Builder of Safe{Wallet} loads it. */
export function safeBatchFile({ chainId, name, description, calls }: SafeBatch) {
  const file = {
    version: "1.0",
    chainId: String(chainId),
    createdAt: Date.now(),
    meta: {
      name,
      description,
      txBuilderVersion: TX_BUILDER_VERSION,
      createdFromSafeAddress: "",
      createdFromOwnerAddress: "",
    },
    transactions: calls.map(({ to, data, value = 0n }) => ({
      to: getAddress(to),
      value: String(value),
      data,
      contractMethod: null,
      contractInputsValues: null,
    })),
  };
  return { ...file, meta: { ...file.meta, checksum: batchChecksum(file) } };
}

/**
 * Writes the batch to a new file. The owners load it in the Transaction Builder and sign its calls as one transaction.
 * @throws CommandError if the file exists or cannot be written
 */
export async function saveSafeBatch(path: string, batch: SafeBatch): Promise<void> {
  const text = `${JSON.stringify(safeBatchFile(batch), null, 2)}\n`;
  await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      error.code === "EEXIST"
        ? `${path} exists already; --out names another file`
        : `${path} cannot be written: ${error.code}`,
    );
  });
}

/**
 * The checksum of a batch file. The Transaction Builder warns the owners about a file whose checksum differs.
 * Source: safe-global/safe-react-apps, apps/tx-builder/src/lib/checksum.ts: keccak256 of all fields with sorted keys and
 * without the batch's name.
 */
export function batchChecksum(file: { meta: object }): Hex {
  return keccak256(stringToHex(sorted({ ...file, meta: { ...file.meta, name: null } })));
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${JSON.stringify(fields.map(([key]) => key))}${fields.map(([, field]) => `${sorted(field)},`).join("")}}`;
}
