export type CsvCell = string | number | null | undefined;

/** The byte order mark: without it spreadsheets do not read the file as UTF-8. */
export const csvStart = "\ufeff";

/**
 * A line of a CSV file, RFC 4180: comma, CRLF, quotes doubled. Unknown is empty. A leading apostrophe keeps a
 * spreadsheet from running a text as a formula; numbers, which may begin with a minus, get none.
 *
 * @example csvLine(["2026-01-31", "-12.50", "=1+1"]) // "2026-01-31,-12.50,'=1+1\r\n"
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** A whole file: byte order mark, column names, and one line per row. */
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
