import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { formatUnits } from "@aqua/sdk/maths/units";
import {
  type Address,
  createPublicClient,
  decodeFunctionData,
  erc20Abi,
  getAddress,
  hexToString,
  isAddressEqual,
  type PublicClient,
} from "viem";
import { chain, transport } from "./chain.ts";
import { describeMessage } from "./message-text.ts";
import { describeProductCall } from "./product-request-text.ts";
import type { OwnerQuestion } from "./provider.ts";
import { nameOf, type RequestText, symbolAbi, type Token, token } from "./tokens.ts";

const siteReader = createPublicClient({ chain, transport });

/**
 * Describes the effect of `question`. `reader` reads names and units of its contracts. A request that cannot be decoded
 * is called unknown and its data is shown unchanged. Never throws.
 */
export async function describeRequest(
  question: OwnerQuestion,
  reader: PublicClient = siteReader,
  origin = location.origin,
): Promise<RequestText> {
  if (question.kind === "message") {
    const text = hexToString(question.message);
    const { title, sentence, values } = describeMessage(text, question.from, origin);
    return { title, sentence, values, contract: null, contractName: null, exact: text };
  }
  if (question.kind === "typedData") {
    return (
      (await describePermit(question.typedData, reader).catch(() => null)) ??
      plain("typedData", pretty(question.typedData))
    );
  }
  const { from, to, data, value } = question.transaction;
  const exact = JSON.stringify({ to, data, value: value.toString() }, null, 2);
  if (to === null || value > 0n) return { ...plain("transaction", exact), contract: to && getAddress(to) };
  const description =
    (await describeCall({ from, to, data, exact, reader }).catch(() => null)) ??
    (await describeProductCall({ from, to, data }, exact, reader).catch(() => null));
  return description ?? { ...plain("transaction", exact), contract: getAddress(to) };
}

function plain(kind: "typedData" | "transaction", exact: string): RequestText {
  const title = `wallet.demo.${kind}.title` as const;
  const sentence = `wallet.demo.${kind}.sentence` as const;
  return { title, sentence, values: {}, contract: null, contractName: null, exact };
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

async function describePermit(json: string, reader: PublicClient): Promise<RequestText | null> {
  const { primaryType, domain, message } = JSON.parse(json) as {
    primaryType: string;
    domain: { verifyingContract?: Address };
    message: { spender?: Address; value?: string; deadline?: string };
  };
  const { verifyingContract } = domain;
  const { spender, value, deadline } = message;
  if (primaryType !== "Permit" || !verifyingContract || !spender || value === undefined || deadline === undefined)
    return null;
  const [{ symbol, decimals }, contractName] = await Promise.all([
    token(reader, verifyingContract),
    nameOf(reader, spender),
  ]);
  return {
    title: "wallet.demo.permit.title",
    sentence: "wallet.demo.permit.sentence",
    values: { amount: formatUnits(BigInt(value), decimals), symbol, until: String(Number(deadline) * 1_000) },
    contract: getAddress(spender),
    contractName,
    exact: pretty(json),
  };
}

/** Describes a call. Null for an unknown call, and for one that pays anyone but the wallet itself. */
async function describeCall({
  from,
  to,
  data,
  exact,
  reader,
}: {
  from: Address;
  to: Address;
  data: `0x${string}`;
  exact: string;
  reader: PublicClient;
}): Promise<RequestText | null> {
  const { functionName, args } = decodeFunctionData({ abi: [...demandVaultAbi, ...erc20Abi], data });
  const own = (index: number) => isAddressEqual(args?.[index] as Address, from);
  if ((functionName === "deposit" || functionName === "depositWithPermit") && !own(1)) return null;
  if ((functionName === "withdraw" || functionName === "redeem") && !(own(1) && own(2))) return null;
  const contractName = await nameOf(reader, to);
  const at = { contract: getAddress(to), contractName, exact };
  const asset = async () =>
    token(reader, await reader.readContract({ address: to, abi: symbolAbi, functionName: "asset" }));
  const values = ({ symbol, decimals }: Token, amount: unknown) => ({
    amount: formatUnits(BigInt(amount as bigint), decimals),
    symbol,
  });
  switch (functionName) {
    case "deposit":
    case "depositWithPermit":
      return {
        title: "wallet.demo.deposit.title",
        sentence: "wallet.demo.deposit.sentence",
        values: values(await asset(), args[0]),
        ...at,
      };
    case "withdraw":
      return {
        title: "wallet.demo.withdraw.title",
        sentence: "wallet.demo.withdraw.sentence",
        values: values(await asset(), args[0]),
        ...at,
      };
    case "redeem":
      return {
        title: "wallet.demo.withdraw.title",
        sentence: "wallet.demo.redeem.sentence",
        values: {
          ...values(await token(reader, to), args[0]),
          ...(args.length > 3 ? await leastOf(asset(), args[3]) : {}),
        },
        ...at,
      };
    case "approve": {
      const spender = args[0];
      return {
        title: "wallet.demo.permit.title",
        sentence: "wallet.demo.approve.sentence",
        values: values(await token(reader, to), args[1]),
        contract: getAddress(spender),
        contractName: await nameOf(reader, spender),
        exact,
      };
    }
    default:
      return null;
  }
}

async function leastOf(asset: Promise<Token>, amount: unknown): Promise<Record<string, string>> {
  const { symbol, decimals } = await asset;
  return { least: formatUnits(BigInt(amount as bigint), decimals), asset: symbol };
}
