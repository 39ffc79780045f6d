import type { LanguageCode } from "@aqua/sdk/languages";

/** The first `count` sentences of some paragraphs, as one text. */
export function firstSentences(paragraphs: readonly string[], count: number, language: LanguageCode): string {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  return paragraphs
    .flatMap((paragraph) => [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== "")
    .slice(0, count)
    .join(language.startsWith("zh") ? "" : " ");
}
