import { paths } from "../../paths.ts";

const asking = (query: Record<string, string>) => `${paths.transparency}?${new URLSearchParams(query)}#verify`;

/** Where a receipt of a time deposit is checked, its box filled. */
export const verifyReceiptPath = (shortId: string, id: string) =>
  asking({ verify: "receipt", product: shortId, receipt: id });

/** Where the lines a transaction makes in a statement are checked. */
export const verifyLinePath = (hash: string) => asking({ verify: "line", tx: hash });
