import { z } from "zod";

/**
 * Embeddings, overrides and isolates of the bidirectional algorithm (Unicode UAX #9). They are invisible and reorder
 * the text around them, so a name or an amount can look like another one. The marks U+200E, U+200F and U+061C affect
 * only themselves and are part of the spelling of some names.
 */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
/** Control characters other than tab and line ends. A terminal would execute them. */
const controls = /[^\P{Cc}\t\n\r]/gu;

/**
 * Removes control characters, and characters that reorder the surrounding text. For texts that cannot be rejected.
 * @example withoutReordering("a\u202Eb") // "ab"
 */
export function withoutReordering(text: string): string {
  return text.replace(reordering, "").replace(controls, "");
}

/**
 * Escapes a text for a terminal or a log. A terminal would execute control characters, and direction marks would
 * reorder the line. Both are written as escapes that JSON reads as the original characters. Line ends stay.
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
 * A text that is stored and shown to others. Rejects U+0000, which PostgreSQL cannot store, other control characters,
 * and characters that reorder the surrounding text.
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
