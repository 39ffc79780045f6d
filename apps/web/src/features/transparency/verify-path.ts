import { paths } from "../../paths.ts";

const asking = (query: Record<string, string>) => `${paths.transparency}?${new URLSearchParams(query)}#verify`;

/** Link to the check of a time deposit's receipt, with the form filled in. */
export const verifyReceiptPath = (shortId: string, id: string) =>
  asking({ verify: "receipt", product: shortId, receipt: id });

/** Link to the check of the statement lines of a transaction. */
export const verifyLinePath = (hash: string) => asking({ verify: "line", tx: hash });

/** Link to the check of a file. */
export const verifyFilePath = asking({ verify: "file" });
