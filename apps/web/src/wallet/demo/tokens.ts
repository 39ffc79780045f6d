import { type Address, type PublicClient, parseAbi } from "viem";
import type { MessageKey } from "../../i18n/keys.ts";

/** A description of a request: catalog keys with their values. Amounts are decimal strings in whole units. */
export interface RequestText {
  title: MessageKey;
  sentence: MessageKey;
  values: Record<string, string>;
  /** The contract that is called or that receives the allowance. It is shown in full. */
  contract: Address | null;
  contractName: string | null;
  /** The exact text or data to be signed. */
  exact: string;
}

export const symbolAbi = parseAbi([
  "function name() view returns (string)",
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function asset() view returns (address)",
]);

export interface Token {
  symbol: string;
  decimals: number;
}

export async function token(reader: PublicClient, address: Address): Promise<Token> {
  const at = { address, abi: symbolAbi } as const;
  const [symbol, decimals] = await Promise.all([
    reader.readContract({ ...at, functionName: "symbol" }),
    reader.readContract({ ...at, functionName: "decimals" }),
  ]);
  return { symbol, decimals };
}

export function nameOf(reader: PublicClient, address: Address): Promise<string | null> {
  return reader.readContract({ address, abi: symbolAbi, functionName: "name" }).catch(() => null);
}
