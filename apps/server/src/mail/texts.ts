import type { LanguageCode } from "@aqua/sdk/languages";
import type { MailTexts } from "./content.ts";
import { english } from "./texts/en-US.ts";
import { french } from "./texts/fr-FR.ts";
import { korean } from "./texts/ko-KR.ts";
import { simplifiedChinese } from "./texts/zh-CN.ts";
import { traditionalChinese } from "./texts/zh-TW.ts";

export const mailTexts: Record<LanguageCode, MailTexts> = {
  "en-US": english,
  "zh-CN": simplifiedChinese,
  "zh-TW": traditionalChinese,
  "ko-KR": korean,
  "fr-FR": french,
};
