import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Abi, ContractConstructorArgs, Hex } from "viem";
import { encodeDeployData } from "viem/utils";

const folder = fileURLToPath(new URL("../../contracts/bytecode/", import.meta.url));

/** Returns the creation code of a contract. Rejects when contracts/bytecode has no such contract. */
export async function creationCode(contract: string): Promise<Hex> {
  let text: string;
  try {
    text = await readFile(`${folder}${contract}.json`, "utf8");
  } catch {
    throw new Error(`contracts/bytecode has no ${contract}; run \`npm run build\` first.`);
  }
  return (JSON.parse(text) as { creationCode: Hex }).creationCode;
}

/** Returns creation code with constructor arguments, ready to be sent. */
export async function deployData<const ContractAbi extends Abi>(
  contract: string,
  abi: ContractAbi,
  args: ContractConstructorArgs<ContractAbi>,
): Promise<Hex> {
  const bytecode = await creationCode(contract);
  return encodeDeployData({ abi, bytecode, args } as Parameters<typeof encodeDeployData>[0]);
}
