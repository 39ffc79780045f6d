import { formatUnits } from "@aqua/sdk/maths/units";
import { zeroAddress } from "viem";
import { type Asset, assetDecimals } from "./config.ts";

/** 1234567n → "1 234 567". */
export const grouped = (value: bigint) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

/** "1250.500000" → "1 250.5". */
function decimal(text: string): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const kept = fraction.replace(/0+$/, "");
  return kept === "" ? grouped(BigInt(whole)) : `${grouped(BigInt(whole))}.${kept}`;
}

/** Smallest units as "1 250.5 USDC". */
export const amountText = (units: bigint, asset: Asset) =>
  `${decimal(formatUnits(units, assetDecimals(asset)))} ${asset === "test_dollar" ? "tUSD" : asset.symbol}`;

/** A fraction with 18 decimals as "7.5%". */
export const percentText = (fraction: bigint) => `${decimal(formatUnits(fraction, 16))}%`;

/** Unix seconds as 2026-03-01T08:30:00Z. */
export const momentText = (seconds: number | bigint) =>
  `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}Z`;

export const addressText = (address: string) => (address === zeroAddress ? "none" : address);
