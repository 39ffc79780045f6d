import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import { shareDecimalsOffset } from "@aqua/sdk/maths/shares";
import { larger } from "@aqua/sdk/maths/units";
import type { Address, PublicClient } from "viem";
import { ignoreRevert } from "./chain.ts";
import { type Asset, assetDecimals, type DemandProduct, type TimeProduct } from "./config.ts";
import { addressText, amountText, momentText, percentText } from "./settingText.ts";

/** A figure of a product in words. */
export type Figure = readonly [name: string, text: string];

/** The figures of a product's contract now. */
export function productFigures(
  client: PublicClient,
  address: Address,
  product: DemandProduct | TimeProduct,
): Promise<Figure[]> {
  return product.type === "demand_deposit"
    ? demandFigures(client, address, product.asset)
    : timeFigures(client, address, product);
}

const evidenceText = (until: number) => (until === 0 ? "no date" : momentText(until));

async function demandFigures(client: PublicClient, address: Address, asset: Asset): Promise<Figure[]> {
  const of = { address, abi: demandVaultAbi } as const;
  const share = 10n ** BigInt(assetDecimals(asset) + shareDecimalsOffset);
  const [assets, price, desk, cap, minDeposit, most] = await Promise.all([
    client.readContract({ ...of, functionName: "totalAssets" }),
    client.readContract({ ...of, functionName: "convertToAssets", args: [share] }),
    client.readContract({ ...of, functionName: "desk" }),
    client.readContract({ ...of, functionName: "cap" }),
    client.readContract({ ...of, functionName: "minDeposit" }),
    client.readContract({ ...of, functionName: "maxDeploy" }),
  ]);
  return [
    ["total assets", amountText(assets, asset)],
    ["share price", amountText(price, asset)],
    ["invested", amountText(desk.deployed, asset)],
    ["may be invested now", amountText(most, asset)],
    ["deposit cap", amountText(cap, asset)],
    ["room under the cap", amountText(larger(0n, cap - assets), asset)],
    ["smallest deposit", amountText(minDeposit, asset)],
    ["cash buffer", percentText(desk.buffer)],
    ["performance fee", percentText(desk.fee)],
    ["custodian", addressText(desk.custodian)],
    ["treasury", addressText(desk.treasury)],
    ["evidence valid until", evidenceText(desk.evidenceUntil)],
  ];
}

async function timeFigures(client: PublicClient, address: Address, { asset, terms }: TimeProduct): Promise<Figure[]> {
  const of = { address, abi: termDepositAbi } as const;
  const [books, [cap, minDeposit], evidence] = await Promise.all([
    client.readContract({ ...of, functionName: "books" }),
    client.readContract({ ...of, functionName: "limits" }),
    client.readContract({ ...of, functionName: "evidenceUntil" }),
  ]);
  const figures: Figure[] = [
    ["liabilities", amountText(books.liabilities, asset)],
    ["cash", amountText(books.cash, asset)],
    ["invested", amountText(books.deployed, asset)],
    ["deposit cap", amountText(cap, asset)],
    ["smallest deposit", amountText(minDeposit, asset)],
    ["evidence valid until", evidenceText(evidence)],
  ];
  for (const index of terms.keys()) {
    const read = { ...of, functionName: "termOf", args: [BigInt(index)] } as const;
    // A term that is not added yet reverts.
    const term = await client.readContract(read).catch(ignoreRevert);
    const offer = term?.open ? "offered" : "not offered";
    const text = term === undefined ? "—" : `${percentText(term.rate)}, cap ${amountText(term.cap, asset)}, ${offer}`;
    figures.push([`term ${index}`, text]);
  }
  return figures;
}
