import type { Holding } from "@aqua/sdk/api/portfolio";
import { useEffect, useState } from "react";

/** A receipt on the page. `isUnlisted`: the server no longer lists it, but its outcome has not been read yet. */
export interface LastingReceipt {
  holding: Holding;
  isUnlisted: boolean;
}

const keyOf = ({ chain_id, short_id, deposit_id }: Holding) => `${chain_id}/${short_id}/${deposit_id}`;

/**
 * The receipts of a list, and those that left it while it was shown. A paid receipt disappears with its block, often
 * before its outcome was read. `forget` removes one. `of` identifies the list's owner; the list starts empty for
 * another owner.
 */
export function useLastingReceipts(holdings: readonly Holding[], of: string) {
  const [tracked, setTracked] = useState<{ of: string; rows: readonly Holding[] }>({ of, rows: [] });
  const trackedRows = tracked.of === of ? tracked.rows : [];
  const listed = new Set(holdings.map(keyOf));
  const unlistedRows = trackedRows.filter((holding) => !listed.has(keyOf(holding)));
  useEffect(() => {
    setTracked((before) => {
      const previousRows = before.of === of ? before.rows : [];
      const now = new Set(holdings.map(keyOf));
      const nextRows = [...holdings, ...previousRows.filter((holding) => !now.has(keyOf(holding)))];
      const same =
        nextRows.length === previousRows.length && nextRows.every((holding, index) => holding === previousRows[index]);
      return same && before.of === of ? before : { of, rows: nextRows };
    });
  }, [holdings, of]);
  const receipts: LastingReceipt[] = [
    ...unlistedRows.map((holding) => ({ holding, isUnlisted: true })),
    ...holdings.map((holding) => ({ holding, isUnlisted: false })),
  ];
  function forget(holding: Holding) {
    setTracked((before) => ({ ...before, rows: before.rows.filter((other) => keyOf(other) !== keyOf(holding)) }));
  }
  return { receipts, forget };
}
