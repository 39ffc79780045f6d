import type { Term } from "../src/maths/term.ts";

const wad = 10n ** 18n;
const day = 86_400n;

/**
 * A reference implementation with JavaScript's own calendar and fractions; it shares no code with the tested functions.
 */
export const reference = {
  maturity(openedAt: bigint, term: Term): bigint {
    if (term.unit === "day" || term.unit === "week") {
      return openedAt + BigInt(term.count * (term.unit === "day" ? 1 : 7)) * day;
    }
    const date = new Date(Number(openedAt) * 1000);
    const month = date.getUTCMonth() + term.count * (term.unit === "month" ? 1 : 12);
    const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
    const midnight = Date.UTC(date.getUTCFullYear(), month, Math.min(date.getUTCDate(), last));
    return BigInt(midnight) / 1000n + (openedAt % day);
  },
  interest: (principal: bigint, rate: bigint, seconds: bigint) => (principal * rate * seconds) / (365n * day * wad),
  payout(principal: bigint, term: Term, openedAt: bigint, at: bigint): bigint {
    const maturity = this.maturity(openedAt, term);
    if (at >= maturity) return principal + this.interest(principal, term.rate, maturity - openedAt);
    const cost = principal * term.penalty;
    const penalty = cost / wad + (cost % wad === 0n ? 0n : 1n);
    return principal - penalty + this.interest(principal, term.breakRate, at - openedAt);
  },
};
