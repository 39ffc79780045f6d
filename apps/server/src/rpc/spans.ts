/** A value within a JSON text: the position of its first byte, and the position after its last byte. */
export interface Span {
  start: number;
  end: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The position of the first byte after leading white space. */
export function startOf(bytes: Buffer): number {
  return skipSpace(bytes, 0);
}

export function isArray(bytes: Buffer, start: number): boolean {
  return bytes[start] === OPEN_ARRAY;
}

/** The values of an array. @throws SyntaxError if the value is not an array */
export function elementsOf(bytes: Buffer, start: number): Span[] {
  expect(bytes, start, OPEN_ARRAY);
  const elements: Span[] = [];
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_ARRAY) return elements;
  for (;;) {
    const end = endOfValue(bytes, at);
    elements.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_ARRAY) return elements;
    at = skipSpace(bytes, expect(bytes, at, COMMA));
  }
}

/**
 * The values of an object by their names, as the names are written. @throws SyntaxError if the value is not an object
 */
export function membersOf(bytes: Buffer, start: number): Map<string, Span> {
  expect(bytes, start, OPEN_OBJECT);
  const members = new Map<string, Span>();
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === CLOSE_OBJECT) return members;
  for (;;) {
    const afterName = endOfString(bytes, at);
    const name = bytes.toString("latin1", at + 1, afterName - 1);
    const value = skipSpace(bytes, expect(bytes, skipSpace(bytes, afterName), COLON));
    const end = endOfValue(bytes, value);
    members.set(name, { start: value, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_OBJECT) return members;
    at = skipSpace(bytes, expect(bytes, at, COMMA));
  }
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (isSpace(bytes[at])) at += 1;
  return at;
}

function expect(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new SyntaxError(`unexpected JSON at byte ${at}`);
  return at + 1;
}

/** Short strings are scanned here. For the rest of a long one the native search is many times faster. */
const SHORT = 128;

function endOfString(bytes: Buffer, from: number): number {
  let at = expect(bytes, from, QUOTE);
  for (const end = Math.min(bytes.length, at + SHORT); at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  for (let quote = at; ; ) {
    quote = bytes.indexOf(QUOTE, quote);
    if (quote < 0) throw new SyntaxError("the JSON ends within a string");
    if (!isEscaped(bytes, quote, at)) return quote + 1;
    quote += 1;
  }
}

/** True if an odd number of backslashes precedes `at`, counted back to `from`. */
function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let first = at;
  while (first > from && bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Brackets are only counted, not matched. The parser of the value checks its content. */
function endOfValue(bytes: Buffer, from: number): number {
  let depth = 0;
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      depth += 1;
      at += 1;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth === 0) break;
      depth -= 1;
      at += 1;
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) break;
    else {
      at += 1;
      // A number, true, false or null ends where the next token begins.
      if (depth === 0) continue;
    }
    if (depth === 0) return at;
  }
  if (depth > 0 || at === from) throw new SyntaxError("the JSON ends within a value");
  return at;
}
