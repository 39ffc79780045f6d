import type { Holding } from "@aqua/sdk/api/portfolio";
import { useEffect, useState } from "react";

/** A receipt on the page. `gone`: the server no longer lists it, but its outcome has not been read yet. */
export interface LastingReceipt {
  holding: Holding;
  gone: boolean;
}

const keyOf = ({ chain_id, short_id, deposit_id }: Holding) => `${chain_id}/${short_id}/${deposit_id}`;

/**
 * The receipts of a list, and those that left it while it was shown. A paid receipt disappears with its block, often
 * before its outcome was read. `forget` removes one. `of` identifies the list's owner; the list starts empty for
 * another owner.
 */
export function useLastingReceipts(holdings: readonly Holding[], of: string) {
  const [kept, setKept] = useState<{ of: string; seen: readonly Holding[] }>({ of, seen: [] });
  const seen = kept.of === of ? kept.seen : [];
  const listed = new Set(holdings.map(keyOf));
  const gone = seen.filter((holding) => !listed.has(keyOf(holding)));
  useEffect(() => {
    setKept((before) => {
      const known = before.of === of ? before.seen : [];
      const now = new Set(holdings.map(keyOf));
      const seen = [...holdings, ...known.filter((holding) => !now.has(keyOf(holding)))];
      const same = seen.length === known.length && seen.every((holding, index) => holding === known[index]);
      return same && before.of === of ? before : { of, seen };
    });
  }, [holdings, of]);
  const receipts: LastingReceipt[] = [
    ...gone.map((holding) => ({ holding, gone: true })),
    ...holdings.map((holding) => ({ holding, gone: false })),
  ];
  function forget(holding: Holding) {
    setKept((before) => ({ ...before, seen: before.seen.filter((other) => keyOf(other) !== keyOf(holding)) }));
  }
  return { receipts, forget };
}
