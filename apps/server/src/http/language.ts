import { type LanguageCode, languageCodes } from "@aqua/sdk/languages";

/** The cookie with the visitor's choice, which the web app also writes to its own storage. */
const COOKIE = /(?:^|;\s*)app-language=([A-Za-z-]+)/;
/** Most entries read of a header. A browser sends a handful. */
const MOST = 20;

const FALLBACK: LanguageCode = "en-US";

/**
 * Language of a page: the visitor's choice, else the first language that their browser asks for and we have, else
 * English.
 */
export function languageOf(headers: {
  cookie?: string | undefined;
  "accept-language"?: string | undefined;
}): LanguageCode {
  const chosen = languageCodes.find((code) => code === COOKIE.exec(headers.cookie ?? "")?.[1]);
  return chosen ?? acceptedLanguages(headers["accept-language"] ?? "").find((code) => code !== null) ?? FALLBACK;
}

/**
 * Returns our language for each entry of an Accept-Language header, the most wanted first; null for those we do not
 * have.
 */
function acceptedLanguages(header: string): (LanguageCode | null)[] {
  return header
    .split(",", MOST)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((word) => word.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => supportedLanguage(tag));
}

/** Returns our language for a tag: the same language, and for Chinese the same script. */
function supportedLanguage(tag: string): LanguageCode | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize();
    return (
      languageCodes.find((code) => {
        const supported = new Intl.Locale(code).maximize();
        return supported.language === language && supported.script === script;
      }) ?? null
    );
  } catch {
    // Not a language tag, such as "*".
    return null;
  }
}
