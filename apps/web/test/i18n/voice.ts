import type { Language } from "../../src/i18n/languages.ts";

/** Words a language's texts do without. A word is refused in all its meanings, because a pattern cannot know which is meant. */
const banned: Record<Language, RegExp> = {
  "en-US":
    /\b(stands?|tells?|counts|anew|for good|heard|comes? in|nobody|whoever|somebody|papers|in all|of now|dear|in this version|sign in)\b/iu,
  "zh-CN": /您|末日|首日|违约利率|份额价格|它的行|不利|活动|此版本|本版本/u,
  "zh-TW": /你|末日|首日|違約利率|它的行|不利|活動|產品|提前支取|收益率|入塊|此版本|本版本/u,
  "ko-KR": /당신|회원님|뿌리|머리 값|소식|보장률|보호자|계약|판독값|수도꼭지|이 버전/u,
  "fr-FR":
    /(?<!\p{L})(opérateurs?|principal|taux de rupture|espèces|repart|tient|entendue?s?|relevés?(?! de compte)|robinet|cette version)(?!\p{L})/iu,
};

const frenchSpacing = /[^\u202f][;!?%]|[^\u00a0]:(?![\d/])|«[^\u00a0]|[^\u00a0]»/u;

export const longestSentence = 25;

/** A message without ICU's own words: each placeholder becomes one word, each branch of a plural stays. */
export function prose(message: string): string {
  return message
    .replace(/\{\w+, plural,/g, "")
    .replace(/\b(one|many|few|other) \{/g, " ")
    .replace(/\{\w+\}/g, "0")
    .replace(/[{}]/g, " ");
}

function longSentence(text: string): string | undefined {
  return text.split(/(?<=[.!?])\s+/).find((sentence) => sentence.split(/\s+/).length > longestSentence);
}

/** What a text breaks of the rules of its language, one entry a rule. */
export function offences(language: Language, message: string): string[] {
  const text = prose(message);
  const word = text.match(banned[language])?.[0];
  const found = word === undefined ? [] : [`banned: ${word}`];
  if (language === "fr-FR" && frenchSpacing.test(text)) found.push("spacing");
  if (language === "en-US" && longSentence(text) !== undefined) found.push(`more than ${longestSentence} words`);
  return found;
}

/** What a key is in each language when its English text is exactly the term. */
export const glossary: Record<string, Record<Exclude<Language, "en-US">, string>> = {
  "Demand deposit": { "zh-CN": "活期存款", "zh-TW": "活期存款", "ko-KR": "수시 예치", "fr-FR": "Dépôt à vue" },
  "Time deposit": { "zh-CN": "定期存款", "zh-TW": "定期存款", "ko-KR": "정기 예치", "fr-FR": "Dépôt à terme" },
  Term: { "zh-CN": "期限", "zh-TW": "期限", "ko-KR": "기간", "fr-FR": "Durée" },
  Maturity: { "zh-CN": "到期", "zh-TW": "到期", "ko-KR": "만기", "fr-FR": "Échéance" },
  Principal: { "zh-CN": "本金", "zh-TW": "本金", "ko-KR": "원금", "fr-FR": "Capital" },
  Interest: { "zh-CN": "利息", "zh-TW": "利息", "ko-KR": "이자", "fr-FR": "Intérêts" },
  "Share price": { "zh-CN": "份额净值", "zh-TW": "單位淨值", "ko-KR": "지분 가격", "fr-FR": "Prix de la part" },
  "Early withdrawal": { "zh-CN": "提前支取", "zh-TW": "提前解約", "ko-KR": "중도 해지", "fr-FR": "Sortie anticipée" },
  Activity: { "zh-CN": "交易记录", "zh-TW": "交易紀錄", "ko-KR": "거래 내역", "fr-FR": "Historique" },
  Statements: { "zh-CN": "对账单", "zh-TW": "對帳單", "ko-KR": "거래내역서", "fr-FR": "Relevés de compte" },
  Custodian: { "zh-CN": "托管方", "zh-TW": "保管機構", "ko-KR": "수탁기관", "fr-FR": "Dépositaire" },
  Guardian: { "zh-CN": "守护者", "zh-TW": "守護者", "ko-KR": "가디언", "fr-FR": "Gardien" },
  Loss: { "zh-CN": "亏损", "zh-TW": "虧損", "ko-KR": "손실", "fr-FR": "Perte" },
  "Net deposits": { "zh-CN": "净存入", "zh-TW": "淨存入", "ko-KR": "순예치액", "fr-FR": "Dépôts nets" },
  Portfolios: { "zh-CN": "投资组合", "zh-TW": "投資組合", "ko-KR": "포트폴리오", "fr-FR": "Placements" },
  "Log in": { "zh-CN": "登录", "zh-TW": "登入", "ko-KR": "로그인", "fr-FR": "Se connecter" },
  Transaction: { "zh-CN": "交易", "zh-TW": "交易", "ko-KR": "트랜잭션", "fr-FR": "Transaction" },
};
