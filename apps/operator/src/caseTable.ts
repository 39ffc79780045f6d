import type { IdentityCaseDetail, IdentityCaseLine } from "@aqua/sdk/api/operator";

const day = (time: number) => new Date(time).toISOString().slice(0, 10);
const minute = (time: number) => `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;

/**
 * Text that people typed is printed on a terminal: control characters could rewrite its output, and marks of writing
 * direction could show it in another order.
 */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "�");
}

export function tableOf(items: readonly IdentityCaseLine[], total: number): string {
  if (total === 0) return "No cases.\n";
  const rows = items.map((item) => [item.id, minute(item.submitted_at), item.country, shown(item.email)]);
  return `${table(["CASE", "SUBMITTED", "COUNTRY", "E-MAIL"], rows)}${items.length} of ${total}\n`;
}

/** Rows under a head, each column as wide as its widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

export function detailOf(found: IdentityCaseDetail): string {
  const facts: [string, string][] = [
    ["Case", found.id],
    ["Status", found.status],
    ["Name", shown(found.name)],
    ["Born", found.birth_date],
    ["Country", found.country],
    ["Document", `${found.document_kind}${documentOf(found)}`],
    ["E-mail", shown(found.email)],
    ["Submitted", minute(found.submitted_at)],
  ];
  if (found.decided_at !== null) facts.push(["Decided", minute(found.decided_at)]);
  if (found.valid_until !== null) facts.push(["Valid until", day(found.valid_until)]);
  if (found.reason !== null) facts.push(["Reason", shown(found.reason)]);
  for (const { address, current } of found.wallets) facts.push([current ? "Wallet" : "Former wallet", address]);
  return facts.map(([name, value]) => `${name.padEnd(14)}${value}\n`).join("");
}

function documentOf({ document }: IdentityCaseDetail): string {
  return document === null ? ", deleted" : `, ${document.type}, ${Math.ceil(document.size / 1024)} kB`;
}
