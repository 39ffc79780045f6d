type Cell = string | number | null | undefined;

/** What a CSV file begins with: spreadsheets take UTF-8 for another encoding where this mark is missing. */
export const csvStart = "\ufeff";

/** A line of a CSV file, RFC 4180: comma, CRLF, quotes doubled. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

/** Quoted where it has to be; a text a spreadsheet would run as a formula is kept one by a leading apostrophe. */
function cell(value: Cell): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
