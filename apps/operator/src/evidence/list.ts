import { DAY_MS } from "@aqua/sdk/durations";
import { shown, table } from "../caseTable.ts";
import { askServer } from "../publicApi.ts";
import { jsonText, type Terminal } from "../terminal.ts";

/** A document of a product. */
interface Line {
  short_id: string;
  title: string;
  issuer: string;
  hash: string;
  issued: string;
  expires: string | null;
  /** Whole days after today on which it is valid; negative if it has expired. Null if it does not expire. */
  days_left: number | null;
}

const PAGE_SIZE = 100;

/** `aqua evidence list`: expired documents first. Returns 1 if one has expired, else 0. */
export async function listEvidence(
  product: string | undefined,
  { json }: { json?: true | undefined },
  terminal: Terminal,
): Promise<number> {
  const { environment } = terminal;
  const now = Date.now();
  const lines: Line[] = [];
  for (const shortId of product === undefined ? await listedProducts(terminal) : [product]) {
    const { evidence } = await askServer(environment, (client) => client.product(shortId));
    for (const { title, issuer, hash, issued, expires } of evidence) {
      const days_left = expires === null ? null : Math.floor((Date.parse(expires) + DAY_MS - now) / DAY_MS);
      lines.push({ short_id: shortId, title, issuer, hash, issued, expires, days_left });
    }
  }
  const order = ({ days_left }: Line) => days_left ?? Number.MAX_SAFE_INTEGER;
  lines.sort((a, b) => order(a) - order(b) || a.short_id.localeCompare(b.short_id) || a.title.localeCompare(b.title));
  terminal.out(json ? jsonText(lines) : textOf(lines));
  return lines.some(({ days_left }) => days_left !== null && days_left < 0) ? 1 : 0;
}

async function listedProducts({ environment }: Terminal): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const query = { page, page_size: PAGE_SIZE, sort: "name" } as const;
    const { items, total } = await askServer(environment, (client) => client.productList(query));
    ids.push(...items.map(({ short_id }) => short_id));
    if (items.length === 0 || ids.length >= total) return ids;
  }
}

function textOf(lines: readonly Line[]): string {
  if (lines.length === 0) return "No documents.\n";
  const rows = lines.map(({ short_id, title, issuer, hash, expires, days_left }) => [
    short_id,
    shown(title),
    shown(issuer),
    hash,
    expires ?? "never",
    days_left === null ? "—" : days_left < 0 ? "EXPIRED" : String(days_left),
  ]);
  return table(["PRODUCT", "DOCUMENT", "ISSUER", "HASH", "EXPIRES", "DAYS LEFT"], rows);
}
