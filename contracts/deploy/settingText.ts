import { formatUnits } from "@aqua/sdk/maths/units";
import { zeroAddress } from "viem";
import { type Asset, assetDecimals } from "./config.ts";

/** 1234567n → "1 234 567". */
export const grouped = (value: bigint) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

/** Smallest units as whole ones, without zeros at the end: 1250500000n with 6 decimals → "1250.5". */
export function decimalText(units: bigint, decimals: number): string {
  const [whole = "0", fraction = ""] = formatUnits(units, decimals).split(".");
  const digits = fraction.replace(/0+$/, "");
  return digits === "" ? whole : `${whole}.${digits}`;
}

/** "1250.5" → "1 250.5". */
const groupedDecimal = (text: string) => text.replace(/^\d+/, (whole) => grouped(BigInt(whole)));

/** Smallest units as "1 250.5 USDC". */
export const amountText = (units: bigint, asset: Asset) =>
  `${groupedDecimal(decimalText(units, assetDecimals(asset)))} ${asset === "test_dollar" ? "tUSD" : asset.symbol}`;

/** A fraction with 18 decimals as "7.5%". */
export const percentText = (fraction: bigint) => `${groupedDecimal(decimalText(fraction, 16))}%`;

/** Unix seconds as 2026-03-01T08:30:00Z. */
export const momentText = (seconds: number | bigint) =>
  `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}Z`;

export const addressText = (address: string) => (address === zeroAddress ? "none" : address);
