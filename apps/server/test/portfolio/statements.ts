import type { Statement } from "@aqua/sdk/api/portfolio";
import { parseUnits } from "@aqua/sdk/maths/units";
import { expect } from "vitest";

/** Expects that every product of a statement adds up, line by line and in total, to the last unit. */
export function expectBalanced(statement: Statement): void {
  for (const product of statement.products) {
    const units = (text: string) => parseUnits(text, product.decimals);
    const { opening, closing, lines } = product;
    let value = units(opening.value);
    const sums = { in: 0n, out: 0n, earned: 0n };
    for (const line of lines) {
      sums.in += units(line.paid_in);
      sums.out += units(line.paid_out);
      sums.earned += units(line.earned);
      value += units(line.paid_in) - units(line.paid_out) + units(line.earned);
      expect(units(line.balance.value), `${product.short_id} after ${line.kind}`).toBe(value);
      expect(units(line.balance.claimable)).toBeGreaterThanOrEqual(0n);
    }
    expect([units(product.paid_in), units(product.paid_out)]).toEqual([sums.in, sums.out]);
    expect(units(closing.value)).toBe(units(opening.value) + sums.in - sums.out + units(product.earned));
    // After the last line, only time changes the balance.
    expect(units(product.earned) - sums.earned).toBe(units(closing.value) - value);
    const last = lines.at(-1)?.balance ?? opening;
    expect([closing.shares, closing.principal]).toEqual([last.shares, last.principal]);
    // A receipt becomes due by time alone; a queue sets aside by an event.
    if (product.type === "demand_deposit") expect(closing.claimable).toBe(last.claimable);
    const times = lines.map((line) => line.time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const time of times) {
      expect(time).toBeGreaterThanOrEqual(statement.from);
      expect(time).toBeLessThan(statement.to);
    }
  }
}
