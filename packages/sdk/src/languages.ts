/** The languages of the app, of its mails and of product documents. */
export const languageCodes = ["en-US", "zh-CN", "zh-TW", "ko-KR", "fr-FR"] as const;
export type LanguageCode = (typeof languageCodes)[number];
