export type CsvCell = string | number | null | undefined;

/** The byte order mark. Without it spreadsheets do not read the file as UTF-8. */
export const csvStart = "\ufeff";

/** The format that spreadsheets of a language read: the separator of cells, and the decimal mark of numbers. */
export interface CsvFormat {
  separator: "," | ";";
  decimals: "." | ",";
}

const comma: CsvFormat = { separator: ",", decimals: "." };
const semicolon: CsvFormat = { separator: ";", decimals: "," };

/**
 * The format that spreadsheets expect in a language. On a French system, Excel puts a line with commas into one column.
 * @example csvFormatOf("fr-FR") // { separator: ";", decimals: "," }
 */
export function csvFormatOf(language = "en-US"): CsvFormat {
  return language === "fr-FR" ? semicolon : comma;
}

/**
 * A line of a CSV file (RFC 4180): CRLF, quotes doubled. An unknown value is empty. A leading apostrophe prevents a
 * spreadsheet from running a text as a formula. Numbers, which may begin with a minus, get none.
 *
 * @example csvLine(["2026-01-31", "-12.50", "=1+1"]) // "2026-01-31,-12.50,'=1+1\r\n"
 */
export function csvLine(cells: readonly CsvCell[], format: CsvFormat = comma): string {
  return `${cells.map((cell) => cellText(cell, format)).join(format.separator)}\r\n`;
}

/** A whole file: byte order mark, column names, and one line per row. */
export function csvFile(
  columns: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  format: CsvFormat = comma,
): string {
  return csvStart + [columns, ...rows].map((cells) => csvLine(cells, format)).join("");
}

function cellText(cell: CsvCell, { decimals }: CsvFormat): string {
  if (cell === null || cell === undefined) return "";
  const text = String(cell);
  if (/^-?\d+(\.\d+)?$/.test(text)) return text.replace(".", decimals);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
