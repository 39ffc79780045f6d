import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Abi, ContractConstructorArgs, Hex } from "viem";
import { encodeDeployData } from "viem/utils";

const out = fileURLToPath(new URL("../../contracts/out/", import.meta.url));

/** Creation code of a contract as forge compiled it. Rejects when contracts/ has not been built. */
export async function creationCode(contract: string): Promise<Hex> {
  let text: string;
  try {
    text = await readFile(`${out}${contract}.sol/${contract}.json`, "utf8");
  } catch {
    throw new Error(`The contract ${contract} is not compiled; run \`npm run build\` first.`);
  }
  return (JSON.parse(text) as { bytecode: { object: Hex } }).bytecode.object;
}

/** Creation code with constructor arguments, ready to be sent. */
export async function deployData<const ContractAbi extends Abi>(
  contract: string,
  abi: ContractAbi,
  args: ContractConstructorArgs<ContractAbi>,
): Promise<Hex> {
  const bytecode = await creationCode(contract);
  return encodeDeployData({ abi, bytecode, args } as Parameters<typeof encodeDeployData>[0]);
}
