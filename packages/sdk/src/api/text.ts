import { z } from "zod";

/**
 * Embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9). They are invisible and reorder
 * the text around them, so that a name or an amount can look like another. The marks U+200E, U+200F and U+061C only
 * affect themselves and are part of how some names are written.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text without characters that reorder what is shown around it. For texts that cannot be refused.
 * @example withoutReordering("a\u202Eb") // "ab"
 */
export function withoutReordering(text: string): string {
  return text.replace(reordering, "");
}

/**
 * A text that is stored and shown to others. Refuses U+0000, which PostgreSQL cannot store, and characters that reorder
 * the text around them.
 */
export const shownText = z
  .string()
  .refine((text) => !text.includes("\0"), {
    error: "Text must not contain the character U+0000",
    abort: true,
  })
  .refine((text) => text.search(reordering) < 0, {
    error: "Must not contain invisible characters that reorder text",
    abort: true,
  });
