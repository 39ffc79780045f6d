const accents: Record<string, string> = {
  a: "á",
  b: "ƀ",
  c: "ç",
  d: "ð",
  e: "é",
  f: "ƒ",
  g: "ĝ",
  h: "ĥ",
  i: "î",
  j: "ĵ",
  k: "ķ",
  l: "ļ",
  m: "ɱ",
  n: "ñ",
  o: "ô",
  p: "þ",
  q: "ɋ",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "û",
  v: "ṽ",
  w: "ŵ",
  x: "ẋ",
  y: "ý",
  z: "ž",
  A: "Å",
  B: "Ɓ",
  C: "Ç",
  D: "Ð",
  E: "É",
  F: "Ƒ",
  G: "Ĝ",
  H: "Ĥ",
  I: "Î",
  J: "Ĵ",
  K: "Ķ",
  L: "Ļ",
  M: "Ṁ",
  N: "Ñ",
  O: "Ö",
  P: "Þ",
  Q: "Ɋ",
  R: "Ŕ",
  S: "Š",
  T: "Ţ",
  U: "Û",
  V: "Ṽ",
  W: "Ŵ",
  X: "Ẋ",
  Y: "Ý",
  Z: "Ž",
};

/** A message as compiled by the catalog compiler: text, or an array of texts and `[name, format, choices]`. */
type Compiled = string | unknown[];

function accented(text: string): string {
  return text.replace(/[A-Za-z]/g, (letter) => accents[letter] ?? letter);
}

function walk(message: Compiled): Compiled {
  if (typeof message === "string") return accented(message);
  return message.map((part) => (Array.isArray(part) ? placeholder(part) : accented(String(part))));
}

/** Converts the texts of a plural or select. Name and format stay unchanged. */
function placeholder([name, format, choices]: unknown[]): unknown[] {
  if (format === undefined) return [name];
  if (typeof choices !== "object" || choices === null) return [name, format, choices];
  const texts = Object.entries(choices).map(([choice, text]) => [
    choice,
    choice === "offset" ? text : walk(text as Compiled),
  ]);
  return [name, format, Object.fromEntries(texts)];
}

function textLength(message: Compiled): number {
  return typeof message === "string"
    ? message.length
    : message.filter((part) => typeof part === "string").join("").length;
}

/** Adds accents and brackets to one compiled message, and makes it about 40 % longer, as German or French would be. */
export function pseudoMessage(message: Compiled): Compiled {
  const marks = "~".repeat(Math.max(1, Math.ceil(textLength(message) * 0.4)));
  // Splits the padding into words, so that the text wraps like a longer language.
  const tail = ` ${marks.match(/~{1,6}/g)?.join(" ")}]`;
  const body = walk(message);
  return typeof body === "string" ? `[${body}${tail}` : ["[", ...body, tail];
}

export function pseudoCatalog(catalog: Record<string, Compiled>): Record<string, Compiled> {
  return Object.fromEntries(Object.entries(catalog).map(([key, message]) => [key, pseudoMessage(message)]));
}
