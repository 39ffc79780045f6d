export type CsvCell = string | number | null | undefined;

/** What a CSV file begins with: without this mark spreadsheets take UTF-8 for another encoding. */
export const csvStart = "\ufeff";

/**
 * A line of a CSV file, RFC 4180: comma, CRLF, quotes doubled. Unknown is empty. A text that a spreadsheet would run as a
 * formula is kept one by a leading apostrophe; a number, which may begin with a minus, stays as it is.
 *
 * @example csvLine(["2026-01-31", "-12.50", "=1+1"]) // "2026-01-31,-12.50,'=1+1\r\n"
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** A whole file: its mark, the names of its columns, and a line a row. */
export function csvFile(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return csvStart + [columns, ...rows].map(csvLine).join("");
}

function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return "";
  const text = String(cell);
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
