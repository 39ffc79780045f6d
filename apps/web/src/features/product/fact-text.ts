import type { ProductDetail } from "@aqua/sdk/api/product";
import { formatAmount } from "../../i18n/format.ts";

export function coordinatesText({ coordinates }: ProductDetail): string | null {
  if (!coordinates) return null;
  const { latitude, longitude } = coordinates;
  const degrees = (value: number) => formatAmount(Math.abs(value).toFixed(4), { digits: 2 });
  return `${degrees(latitude)}° ${latitude < 0 ? "S" : "N"}, ${degrees(longitude)}° ${longitude < 0 ? "W" : "E"}`;
}
