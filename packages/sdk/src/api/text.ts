import { z } from "zod";

/**
 * Embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9). They are invisible and reorder
 * the text around them, so that a name or an amount can look like another. The marks U+200E, U+200F and U+061C only
 * affect themselves and are part of how some names are written.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters other than tab and line ends: a terminal obeys them. */
const controls = /[^\P{Cc}\t\n\r]/gu;

/**
 * A text without control characters and characters that reorder what is shown around it. For texts that cannot be
 * refused.
 * @example withoutReordering("a\u202Eb") // "ab"
 */
export function withoutReordering(text: string): string {
  return text.replace(reordering, "").replace(controls, "");
}

/**
 * Output for a terminal or a log, where control characters would be obeyed and marks of direction would reorder a line.
 * Both are written as escapes, which JSON reads as the characters they stand for. Line ends stay.
 * @example withEscapes("a\u001b[2J\n") // "a\\u001b[2J\n"
 */
export function withEscapes(text: string): string {
  return text.replace(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/**
 * A text that is stored and shown to others. Refuses U+0000, which PostgreSQL cannot store, other control characters, and
 * characters that reorder the text around them.
 */
export const shownText = z
  .string()
  .refine((text) => !text.includes("\0"), {
    error: "Text must not contain the character U+0000",
    abort: true,
  })
  .refine((text) => text.search(controls) < 0, { error: "Must not contain control characters", abort: true })
  .refine((text) => text.search(reordering) < 0, {
    error: "Must not contain invisible characters that reorder text",
    abort: true,
  });
