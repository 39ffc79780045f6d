const fold = (text: string) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

/**
 * True if every word of a search occurs in one of these texts, ignoring accents and case. A blank search matches
 * everything.
 * @example isFound("energie", ["Énergie solaire", null]) // true
 */
export function isFound(search: string, texts: readonly (string | null)[]): boolean {
  const words = fold(search).split(/\s+/).filter(Boolean);
  const text = fold(texts.join(" "));
  return words.every((word) => text.includes(word));
}
