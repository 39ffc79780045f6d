import { type CheckedDevice, deviceBody } from "@aqua/sdk/api/telemetry";
import { CsvError, parse } from "csv-parse/sync";
import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { CommandError } from "../api.ts";
import { type DeviceKey, keyForm, parseKey, parseLength } from "../device.ts";

/** A device of a file with many. */
export interface ListedDevice {
  /** Line of the file; of a CSV row that spans several, the last one. */
  line: number;
  body: CheckedDevice;
  key: DeviceKey;
  /** PEM, of an attested device. */
  certificates: string | null;
}

/** The texts of one device by field. A field without a text is left out. */
interface Row {
  line: number;
  fields: Record<string, string>;
}

/** Devices in one file. The server lists them all in one answer. */
const MAX_DEVICES = 1_000;
/** Faults that one error lists. */
const MAX_FAULTS = 20;

/**
 * Reads a CSV file with a line of column names, or a YAML file with a list. Fields are those of `deviceBody`, `key`, and
 * `certificates` of an attested device. `interval` may be a length such as 15m.
 * @throws CommandError that names each wrong line and field
 */
export function readDeviceFile(file: string, text: string): ListedDevice[] {
  const rows = /\.csv$/i.test(file) ? csvRows(file, text) : yamlRows(file, text);
  if (rows.length === 0) throw new CommandError(`${file} lists no device`);
  if (rows.length > MAX_DEVICES) throw new CommandError(`${file} lists more than ${MAX_DEVICES} devices; split it`);
  const faults: Fault[] = [];
  const devices: ListedDevice[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    const read = deviceOf(row);
    const fault = (message: string) => faults.push({ line: row.line, message });
    if (!("body" in read)) {
      for (const message of read.faults) fault(message);
      continue;
    }
    const keyText = JSON.stringify(Object.values(read.key)).toLowerCase();
    for (const [what, value] of [
      ["name", read.body.name],
      ["key", keyText],
    ] as const) {
      const former = lines.get(`${what} ${value}`);
      if (former !== undefined) fault(`${what}: is that of line ${former} too`);
      else lines.set(`${what} ${value}`, row.line);
    }
    devices.push(read);
  }
  refuse(file, faults);
  return devices;
}

export interface Fault {
  line: number;
  message: string;
}

/** @throws CommandError that lists faults of a file in the order of its lines, if there are any */
export function refuse(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const inOrder = [...faults].sort((a, b) => a.line - b.line);
  const shown = inOrder.slice(0, MAX_FAULTS).map(({ line, message }) => `line ${line}: ${message}`);
  const rest = faults.length > shown.length ? [`and ${faults.length - shown.length} more`] : [];
  throw new CommandError([`nothing was sent, because ${file} has faults`, ...shown, ...rest].join("\n  "));
}

function deviceOf({ line, fields }: Row): ListedDevice | { faults: string[] } {
  const { key: keyText = "", certificates = null, ...texts } = fields;
  const values = Object.entries(texts).map(([field, text]) => [field, typed(field, text)]);
  const { data, error } = deviceBody.safeParse(Object.fromEntries(values));
  const key = parseKey(keyText);
  const faults = (error?.issues ?? []).map(
    ({ path, message }) => `${path.length > 0 ? `${path.join(".")}: ` : ""}${message}`,
  );
  if (key === null) faults.push(`key: must be ${keyForm}`);
  if (data?.trust === "attested" && certificates === null) faults.push("certificates: an attested device needs them");
  if (data?.trust === "attested" && key?.kind === "secp256k1") faults.push("key: an attested device has a P-256 key");
  return data !== undefined && key !== null && faults.length === 0
    ? { line, body: data, key, certificates }
    : { faults };
}

const numbers: ReadonlySet<string> = new Set(["exponent", "latitude", "longitude"]);

/** A text that is no number stays a text, which the schema then refuses. */
function typed(field: string, text: string): string | number {
  const isNumber = /^-?\d{1,15}(\.\d{1,15})?$/.test(text);
  if (field === "interval") return isNumber ? Number(text) : parseLength(text) || text;
  return numbers.has(field) && isNumber ? Number(text) : text;
}

/** The separator is a semicolon where the line of names has no comma, as spreadsheets of some languages write it. */
function csvRows(file: string, text: string): Row[] {
  const [names = ""] = text.split("\n", 1);
  try {
    const rows: { record: Record<string, string>; info: { lines: number } }[] = parse(text, {
      bom: true,
      columns: (found: string[]) => found.map((name) => name.trim().toLowerCase()),
      delimiter: names.includes(",") ? "," : ";",
      info: true,
      skip_empty_lines: true,
      trim: true,
    });
    return rows.map(({ record, info }) => ({ line: info.lines, fields: filled(Object.entries(record)) }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`nothing was sent, because ${file} is no CSV file: ${error.message}`);
  }
}

/** Scalars are read as texts, because a key that begins with 0x would become a number. */
function yamlRows(file: string, text: string): Row[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { schema: "failsafe", lineCounter, merge: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = lineCounter.linePos(error.pos[0]).line;
    const [message = ""] = error.message.split("\n");
    throw new CommandError(`nothing was sent, because ${file} is no YAML file: line ${line}: ${message}`);
  }
  if (!isSeq(document.contents)) throw new CommandError(`${file} must be a list of devices, each with its fields`);
  return document.contents.items.map((item) => {
    const { line } = lineCounter.linePos((isMap(item) || isScalar(item) ? item.range?.[0] : null) ?? 0);
    const fields: unknown = isMap(item) ? item.toJS(document) : null;
    if (fields === null)
      throw new CommandError(
        `nothing was sent, because ${file} has faults\n  line ${line}: must be a device with its fields`,
      );
    return { line, fields: filled(Object.entries(fields as Record<string, unknown>)) };
  });
}

/** A list or a map in place of a text stays as its JSON, which the schema then refuses. */
function filled(fields: [string, unknown][]): Record<string, string> {
  const texts = fields.map(([name, value]) => [name, typeof value === "string" ? value.trim() : JSON.stringify(value)]);
  return Object.fromEntries(texts.filter(([, value]) => value !== ""));
}
