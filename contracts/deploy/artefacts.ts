import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Hex } from "viem";
import { hexToBytes, toHex } from "viem/utils";
import { type ContractName, DeployError, type Runtime } from "./steps.ts";

const folder = fileURLToPath(new URL("../bytecode/", import.meta.url));

export interface Artefact {
  creationCode: Hex;
  /** Runtime code with zeros where the immutables go. */
  runtimeCode: Hex;
  /** Byte offsets of each immutable's 32 bytes, in the order of the declarations. */
  immutables: readonly (readonly number[])[];
}

/** A contract as contracts/scripts/build.mjs wrote it. @throws DeployError when the file is missing */
export async function readArtefact(contract: ContractName): Promise<Artefact> {
  const text = await readFile(`${folder}${contract}.json`, "utf8").catch(() => {
    throw new DeployError(`contracts/bytecode has no ${contract}; run \`npm run build\` first`);
  });
  return JSON.parse(text) as Artefact;
}

/**
 * What the chain must show at the contract's address. `values` are the immutables in the order of their declarations, base
 * contracts after the contract itself; a name with a value of 32 bytes each, and the field of a product that it comes from.
 */
export function runtimeOf(
  artefact: Artefact,
  values: readonly (readonly [name: string, value: Hex, field?: string | undefined])[],
): Runtime {
  if (artefact.immutables.length !== values.length) {
    throw new Error(`The contract has ${artefact.immutables.length} immutables, the plan knows ${values.length}.`);
  }
  const code = hexToBytes(artefact.runtimeCode);
  const immutables = values.map(([name, value, field], index) => {
    const starts = artefact.immutables[index] ?? [];
    for (const start of starts) code.set(hexToBytes(value, { size: 32 }), start);
    return { name, value, starts, field };
  });
  return { code: toHex(code), immutables };
}

/** A number as people write it; an address or a hash as it is. */
const shown = (value: Hex) => (BigInt(value) < 1n << 96n ? String(BigInt(value)) : value);

/** In words, how the code on chain differs from what it must be; null when it does not. */
export function differenceOf(runtime: Runtime, found: Hex): string | null {
  if (found.toLowerCase() === runtime.code.toLowerCase()) return null;
  if (found.length !== runtime.code.length) {
    return `it has ${(found.length - 2) / 2} bytes instead of ${(runtime.code.length - 2) / 2}`;
  }
  const other = otherImmutable(runtime, found);
  if (other !== null) return `${other.name} is ${shown(other.found)} instead of ${shown(other.value)}`;
  const [is, wanted] = [hexToBytes(found), hexToBytes(runtime.code)];
  return `the byte at ${is.findIndex((byte, index) => byte !== wanted[index])} differs from the compiler's`;
}

/** The first immutable that is another one in the code on chain, with what it is there; null where there is none. */
export function otherImmutable(runtime: Runtime, found: Hex) {
  const is = hexToBytes(found);
  for (const immutable of runtime.immutables) {
    const [word] = immutable.starts
      .map((start) => toHex(is.subarray(start, start + 32)))
      .filter((each) => each !== immutable.value.toLowerCase());
    if (word !== undefined) return { ...immutable, found: word };
  }
  return null;
}
