import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Hex } from "viem";
import { hexToBytes, toHex } from "viem/utils";
import { type ContractName, DeployError, type Runtime } from "./steps.ts";

const out = fileURLToPath(new URL("../out/", import.meta.url));

export interface Artefact {
  creationCode: Hex;
  /** Runtime code with zeros where the immutables go. */
  runtimeCode: Hex;
  /** Byte offsets of each immutable's 32 bytes, by its number in the syntax tree. */
  immutables: Record<string, { start: number; length: number }[]>;
}

/** A contract as the compiler left it. @throws DeployError when contracts/ has not been built */
export async function readArtefact(contract: ContractName): Promise<Artefact> {
  const text = await readFile(`${out}${contract}.sol/${contract}.json`, "utf8").catch(() => {
    throw new DeployError(`the contract ${contract} is not compiled; run \`npm run build\` first`);
  });
  const { bytecode, deployedBytecode } = JSON.parse(text);
  return {
    creationCode: bytecode.object,
    runtimeCode: deployedBytecode.object,
    immutables: deployedBytecode.immutableReferences ?? {},
  };
}

/**
 * What the chain must show at the contract's address. `values` are the immutables in the order of their declarations, base
 * contracts after the contract itself, which is the order of their numbers; a name with a value of 32 bytes each.
 */
export function runtimeOf(artefact: Artefact, values: readonly (readonly [name: string, value: Hex])[]): Runtime {
  const ids = Object.keys(artefact.immutables).sort((a, b) => Number(a) - Number(b));
  if (ids.length !== values.length) {
    throw new Error(`The contract has ${ids.length} immutables, the plan knows ${values.length}.`);
  }
  const code = hexToBytes(artefact.runtimeCode);
  const immutables = values.map(([name, value], index) => {
    const starts = (artefact.immutables[ids[index] ?? ""] ?? []).map(({ start }) => start);
    for (const start of starts) code.set(hexToBytes(value, { size: 32 }), start);
    return { name, value, starts };
  });
  return { code: toHex(code), immutables };
}

/** In words, how the code on chain differs from what it must be; null when it does not. */
export function differenceOf(runtime: Runtime, found: Hex): string | null {
  if (found.toLowerCase() === runtime.code.toLowerCase()) return null;
  if (found.length !== runtime.code.length) {
    return `it has ${(found.length - 2) / 2} bytes instead of ${(runtime.code.length - 2) / 2}`;
  }
  const [is, wanted] = [hexToBytes(found), hexToBytes(runtime.code)];
  for (const { name, value, starts } of runtime.immutables) {
    const wrong = starts.find((start) => toHex(is.subarray(start, start + 32)) !== value.toLowerCase());
    if (wrong !== undefined) return `${name} is ${toHex(is.subarray(wrong, wrong + 32))} instead of ${value}`;
  }
  return `the byte at ${is.findIndex((byte, index) => byte !== wanted[index])} differs from the compiler's`;
}
