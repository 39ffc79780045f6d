import { type CheckedDevice, deviceBody, deviceName } from "@aqua/sdk/api/telemetry";
import { CsvError, parse } from "csv-parse/sync";
import { isMap, isScalar, isSeq } from "yaml";
import { CommandError } from "../api.ts";
import { parseYaml } from "../yamlDocument.ts";
import { type DeviceKey, keyForm, parseKey, parseLength } from "./device.ts";

/** A name and the key that it is to have. */
export interface ListedKey {
  /** Line of the file; of a CSV row that spans several, the last one. */
  line: number;
  name: string;
  key: DeviceKey;
}

/** A device of a file with many. */
export interface ListedDevice extends ListedKey {
  body: CheckedDevice;
  /** PEM, of an attested device. */
  certificates: string | null;
}

/** The texts of one device by field. A field without a text is left out. */
interface Row {
  line: number;
  fields: Record<string, string>;
}

/** Devices in one file. Each is a call, and a server takes 600 calls a minute by default. */
const MAX_DEVICES = 500;
/** Faults that one error lists. */
const MAX_FAULTS = 20;

/**
 * Reads a CSV file with a line of column names, or a YAML file with a list. Fields are those of `deviceBody`, `key`, and
 * `certificates` of an attested device. `interval` may be a length such as 15m.
 * @throws CommandError that names each wrong line and field
 */
export const readDeviceFile = (file: string, text: string): ListedDevice[] => readFileOf(file, text, deviceOf);

/**
 * Reads a CSV or YAML file whose fields are `name` and `key`. Others are ignored, so that the file of an enrolment may
 * serve again with new keys.
 * @throws CommandError that names each wrong line and field
 */
export const readKeyFile = (file: string, text: string): ListedKey[] => readFileOf(file, text, keyRowOf);

function readFileOf<Listed extends ListedKey>(
  file: string,
  text: string,
  read: (row: Row) => Listed | { faults: string[] },
): Listed[] {
  const rows = /\.csv$/i.test(file) ? csvRows(file, text) : yamlRows(file, text);
  if (rows.length === 0) throw new CommandError(`${file} lists no device`);
  if (rows.length > MAX_DEVICES) throw new CommandError(`${file} lists more than ${MAX_DEVICES} devices; split it`);
  const faults: Fault[] = [];
  const listed: Listed[] = [];
  const lines = new Map<string, number>();
  for (const row of rows) {
    const one = read(row);
    const fault = (message: string) => faults.push({ line: row.line, message });
    if ("faults" in one) {
      for (const message of one.faults) fault(message);
      continue;
    }
    const keyText = JSON.stringify(Object.values(one.key)).toLowerCase();
    for (const [what, value] of Object.entries({ name: one.name, key: keyText })) {
      const former = lines.get(`${what} ${value}`);
      if (former !== undefined) fault(`${what}: is that of line ${former} too`);
      else lines.set(`${what} ${value}`, row.line);
    }
    listed.push(one);
  }
  refuse(file, faults);
  return listed;
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

function keyRowOf({ line, fields }: Row): ListedKey | { faults: string[] } {
  const name = deviceName.safeParse(fields.name);
  const key = parseKey(fields.key ?? "");
  if (name.success && key !== null) return { line, name: name.data, key };
  return {
    faults: [
      ...(name.success ? [] : ["name: is not the name of a device"]),
      ...(key === null ? [`key: must be ${keyForm}`] : []),
    ],
  };
}

function deviceOf({ line, fields }: Row): ListedDevice | { faults: string[] } {
  const { key: keyText = "", certificates = null, ...texts } = fields;
  const values = Object.entries(texts).map(([field, text]) => [field, typed(field, text)]);
  const { data, error } = deviceBody.safeParse(Object.fromEntries(values));
  const key = parseKey(keyText);
  const faults = (error?.issues ?? []).map(({ path, message }) => {
    const field = path.join(".");
    if (field === "") return message;
    return `${field}: ${field in texts ? message : "is missing"}`;
  });
  if (key === null) faults.push(`key: must be ${keyForm}`);
  if (data?.trust === "attested" && certificates === null) faults.push("certificates: an attested device needs them");
  if (data?.trust === "attested" && key?.kind === "secp256k1") faults.push("key: an attested device has a P-256 key");
  return data !== undefined && key !== null && faults.length === 0
    ? { line, name: data.name, body: data, key, certificates }
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
  const { document, lineAt } = parseYaml(file, text, { schema: "failsafe", merge: true });
  if (!isSeq(document.contents)) throw new CommandError(`${file} must be a list of devices, each with its fields`);
  return document.contents.items.map((item) => {
    const line = lineAt((isMap(item) || isScalar(item) ? item.range?.[0] : null) ?? 0);
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
