/** A text that is not JSON, and the line (from 1) with the first error. */
export class JsonError extends Error {
  override name = "JsonError";
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

export interface LocatedJson {
  value: unknown;
  /** The line (from 1) of the value at a path. For a missing field, the line of the object that should have it. */
  lineOf(path: readonly PropertyKey[]): number;
}

const space = /[ \t\r\n]*/y;
const token =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{}:,]/y;
/** The maximum depth. Nobody writes deeper JSON, and recursion is safe up to it. */
const MOST_LEVELS = 100;

/** Parses JSON like `JSON.parse` (RFC 8259), and records the lines of its values. @throws JsonError */
export function parseLocatedJson(text: string): LocatedJson {
  const starts = new Map<string, number>();
  let at = 0;
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;

  function skip() {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
  }
  /** Returns the next token and moves past it. */
  function next(): string {
    skip();
    token.lastIndex = at;
    const [found] = token.exec(text) ?? [];
    if (found === undefined) throw fault(at);
    at += found.length;
    return found;
  }
  function fault(offset: number): JsonError {
    const found = text.slice(offset, offset + 10).split("\n")[0];
    return new JsonError(lineAt(offset), offset >= text.length ? "the file ends too early" : `unexpected ${found}`);
  }
  function expect(...expected: string[]): string {
    const found = next();
    if (!expected.includes(found)) throw fault(at - found.length);
    return found;
  }
  /** Moves past the value that begins here, and records where it and its parts begin. */
  function value(path: readonly PropertyKey[]): void {
    skip();
    starts.set(JSON.stringify(path), at);
    const begun = at;
    const first = next();
    if (path.length > MOST_LEVELS) throw new JsonError(lineAt(begun), "too many levels");
    if (first === "{") members(path);
    else if (first === "[") items(path);
    else if (/^[\]}:,]$/.test(first)) throw fault(begun);
  }
  function members(path: readonly PropertyKey[]): void {
    for (let first = true; ; first = false) {
      const key = next();
      if (first && key === "}") return;
      if (!key.startsWith('"')) throw fault(at - key.length);
      expect(":");
      value([...path, JSON.parse(key) as string]);
      if (expect(",", "}") === "}") return;
    }
  }
  function items(path: readonly PropertyKey[]): void {
    skip();
    if (text[at] === "]") {
      at += 1;
      return;
    }
    for (let index = 0; ; index++) {
      value([...path, index]);
      if (expect(",", "]") === "]") return;
    }
  }

  value([]);
  skip();
  if (at < text.length) throw fault(at);
  return {
    value: JSON.parse(text),
    lineOf(path) {
      for (let length = path.length; length > 0; length--) {
        const start = starts.get(JSON.stringify(path.slice(0, length)));
        if (start !== undefined) return lineAt(start);
      }
      return lineAt(starts.get("[]") ?? 0);
    },
  };
}
