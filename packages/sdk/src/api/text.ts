import { z } from "zod";

/**
 * Embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9): unseen, they reorder the text around
 * them, so that one name looks like another or an amount like a different one. The marks U+200E, U+200F and U+061C move
 * nothing but themselves and are part of how some names are written.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text without characters that reorder what is shown around it. For texts we must take as they are.
 * @example withoutReordering("a\u202Eb") // "ab"
 */
export function withoutReordering(text: string): string {
  return text.replace(reordering, "");
}

/**
 * A text that is stored and shown to others. Refuses U+0000, which no text of the database can hold, and characters that
 * reorder what is shown around it.
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
