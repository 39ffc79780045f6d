import { JsonError, type LocatedJson, parseLocatedJson } from "../json.ts";
import { type ProductDocument, productDocument } from "./document.ts";

/**
 * A fault of a document with its line (from 1) and its path, such as `risks.0.title`. The path is empty for the whole
 * document.
 */
export interface DocumentFault {
  line: number;
  path: string;
  message: string;
}

export type ReadDocument =
  /** `unknown` lists fields that no version of Aqua reads. Most of them are misspelt names. */
  | { document: ProductDocument; faults: readonly []; unknown: readonly DocumentFault[] }
  | { document: null; faults: readonly DocumentFault[]; unknown: readonly [] };

/** Reads the text of a product's document and checks it against the schema. */
export function readDocument(text: string): ReadDocument {
  let json: LocatedJson;
  try {
    json = parseLocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { document: null, faults: [{ line: error.line, path: "", message: error.message }], unknown: [] };
  }
  const { value, lineOf } = json;
  const faultAt = (path: readonly PropertyKey[], message: string): DocumentFault => ({
    line: lineOf(path),
    path: path.join("."),
    message,
  });
  const parsed = productDocument.safeParse(value);
  if (!parsed.success) {
    const faults = parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => faultAt([...issue.path, key], "is no field of a product's document"))
        : [faultAt(issue.path, issue.message)],
    );
    return { document: null, faults, unknown: [] };
  }
  const unknown = unknownPaths(value, parsed.data, []).map((path) =>
    faultAt(path, "is no field of a product's document"),
  );
  return { document: parsed.data, faults: [], unknown };
}

/** Describes a fault in one line, such as `line 12, risks.0.title: Invalid input`. */
export function faultText({ line, path, message }: DocumentFault): string {
  return `line ${line}${path === "" ? "" : `, ${path}`}: ${message}`;
}

/** Paths of the fields that the schema has dropped. */
function unknownPaths(raw: unknown, parsed: unknown, path: readonly PropertyKey[]): (readonly PropertyKey[])[] {
  if (typeof raw !== "object" || raw === null || typeof parsed !== "object" || parsed === null) return [];
  return Object.entries(raw).flatMap(([key, value]) => {
    const place = [...path, Array.isArray(raw) ? Number(key) : key];
    if (!Object.hasOwn(parsed, key)) return [place];
    return unknownPaths(value, (parsed as Record<string, unknown>)[key], place);
  });
}
