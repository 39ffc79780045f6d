import type { Product } from "@aqua/sdk/api/product";
import { DAY_MS } from "@aqua/sdk/durations";

/** A wait longer than this, in milliseconds, is mentioned wherever a product is recommended. */
const long = 7 * DAY_MS;

/** Whether one withdrawal in ten waits for more than seven days. */
export function isLongWait({ wait }: Pick<Product, "wait">): boolean {
  return wait !== null && wait.p90 > long;
}
