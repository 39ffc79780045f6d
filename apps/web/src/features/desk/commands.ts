// Command lines of `aqua`, as an operator types them. apps/operator/test/deskCommands.test.ts parses each of them.

/** Characters that a POSIX shell reads as they are. */
const plain = /^[\w@%+=:,./-]+$/;

/** A word of a command line. A text of a person or of the server cannot add words or commands. */
function word(text: string | number): string {
  const value = String(text);
  return plain.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function aqua(...words: (string | number)[]): string {
  return ["aqua", ...words.map(word)].join(" ");
}

interface OfProduct {
  short_id: string;
  chain_id: number;
}

const ofProduct = ({ short_id, chain_id }: OfProduct) => [short_id, "--chain", chain_id] as const;
/** The name that `aqua product init --from-chain` is usually given. */
const fileOf = (shortId: string) => `${shortId}.yaml`;

/** Lines that the desk offers to copy. */
export const commands = {
  addOperator: () => aqua("operator", "add", "ada", "--scopes", "identity,read"),
  approve: (id: string, days: number) => aqua("identity", "approve", id, "--days", days),
  reject: (id: string, reason: string) => aqua("identity", "reject", id, "--reason", reason),
  revoke: (id: string, reason: string) => aqua("identity", "revoke", id, "--reason", reason),
  devices: () => aqua("device", "health"),
  /** Shows bounds and figures first; without `--dry-run` it sends. */
  report: (product: OfProduct) => aqua("money", "report", ...ofProduct(product), "--dry-run"),
  process: (product: OfProduct) => aqua("money", "process", ...ofProduct(product), "--dry-run"),
  /** `amount` is in the product's asset. */
  repay: (product: OfProduct, amount: string) =>
    aqua("money", "repay", ...ofProduct(product), "--amount", amount, "--dry-run"),
  takeBackLoss: (product: OfProduct) => aqua("money", "take-back-loss", ...ofProduct(product), "--dry-run"),
  confirmLoss: (product: OfProduct) => aqua("money", "confirm-loss", ...ofProduct(product), "--dry-run"),
  settleLoss: (product: OfProduct) => aqua("money", "settle-loss", ...ofProduct(product), "--dry-run"),
  coverage: (product: OfProduct) => aqua("money", "coverage", ...ofProduct(product)),
  productStatus: (shortId: string) => aqua("product", "status", fileOf(shortId)),
  applyProduct: (shortId: string) => aqua("product", "apply", fileOf(shortId), "--send"),
  audit: (site: string) => aqua("audit", site),
  retryJob: (id: number) => aqua("jobs", "retry", id),
  status: () => aqua("status"),
};
