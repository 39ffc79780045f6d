import type { LanguageCode } from "@aqua/sdk/languages";
import { type CompiledMessage, compileMessageOrThrow } from "@lingui/message-utils/compileMessage";
import english from "./texts/en-US.json" with { type: "json" };
import french from "./texts/fr-FR.json" with { type: "json" };
import korean from "./texts/ko-KR.json" with { type: "json" };
import simplifiedChinese from "./texts/zh-CN.json" with { type: "json" };
import traditionalChinese from "./texts/zh-TW.json" with { type: "json" };

/** Every key of the English catalog. */
export type MailKey = keyof typeof english;
type KindOf<Key> = Key extends `${infer Kind}.subject` ? Kind : never;
/** The kinds of mails. Each has a text `<kind>.subject`. */
export type MailKind = KindOf<MailKey>;
type NoteOf<Key> = Key extends `note.${infer Note}` ? Note : never;
/** Sentences that a mail adds if they apply: the texts `note.<name>`. */
export type MailNote = NoteOf<MailKey>;

const catalogs: Record<LanguageCode, Record<MailKey, string>> = {
  "en-US": english,
  "zh-CN": simplifiedChinese,
  "zh-TW": traditionalChinese,
  "ko-KR": korean,
  "fr-FR": french,
};

export type TextValues = Readonly<Record<string, string | number>>;

export function isMailKey(key: string): key is MailKey {
  return Object.hasOwn(english, key);
}

const keys = Object.keys(english).filter(isMailKey);

/** The keys that begin with `prefix`, in the catalog's order. */
export function mailKeysOf(prefix: string): MailKey[] {
  return keys.filter((key) => key.startsWith(prefix));
}

/** The text of `key` with `values` for its placeholders. @throws RangeError if a placeholder has no value */
export function mailText(language: LanguageCode, key: MailKey, values: TextValues): string {
  return formatMessage(language, catalogs[language][key], values);
}

/**
 * Formats an ICU message with placeholders and plurals. Lingui, which formats the web app's catalogs, is not used here:
 * it also decodes escape sequences such as `\u000a` in values, which would restore line ends that were removed.
 */
export function formatMessage(language: LanguageCode, message: string, values: TextValues): string {
  const format = (parts: CompiledMessage, number?: string): string =>
    parts
      .map((part) => {
        if (part === "#" && number !== undefined) return number;
        if (typeof part === "string") return part;
        const [name, kind, choices] = part;
        const value = values[name];
        if (value === undefined) throw new RangeError(`No value for {${name}} in "${message}"`);
        if (kind === undefined) return String(value);
        if (kind !== "plural" || typeof value !== "number")
          throw new RangeError(`{${name}} of "${message}" is not a text or a number with its plural forms`);
        const forms = choices as Record<string, CompiledMessage>;
        const form = forms[value] ?? forms[new Intl.PluralRules(language).select(value)] ?? forms.other;
        return format(form ?? [], new Intl.NumberFormat(language).format(value));
      })
      .join("");
  return format(compileMessageOrThrow(message));
}
