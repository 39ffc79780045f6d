import type { Language } from "../../src/i18n/languages.ts";

/** Words that a language's texts must not contain, in any meaning, because a pattern cannot distinguish meanings. */
const banned: Record<Language, RegExp> = {
  "en-US":
    /\b(stands?|tells?|counts|anew|for good|heard|comes? in|nobody|whoever|somebody|papers|in all|of now|dear|in this version|sign in)\b/iu,
  "zh-CN": /您|末日|首日|违约利率|份额价格|它的行|不利|活动|此版本|本版本/u,
  "zh-TW": /你|末日|首日|違約利率|它的行|不利|活動|產品|提前支取|收益率|入塊|此版本|本版本/u,
  "ko-KR": /당신|회원님|뿌리|머리 값|소식|보장률|보호자|계약|판독값|수도꼭지|이 버전/u,
  "fr-FR":
    /(?<!\p{L})(opérateurs?|principal|taux de rupture|espèces|repart|tient|entendue?s?|relevés?(?! de compte)|robinet|cette version)(?!\p{L})/iu,
};

/** Synonyms that must not be used, each with the name to use instead. */
const secondNames: Record<Language, readonly (readonly [second: RegExp, name: string])[]> = {
  "en-US": [
    [/\bsign[- ]?in\b/iu, "log in"],
    [/(?<![\w-])e?mails?\b/iu, "e-mail"],
    [/\b(?:early )?exits?\b/iu, "withdraw, early withdrawal"],
    [/\bvaults?\b/iu, "product, contract"],
    [/\bbreak rate\b/iu, "early-withdrawal rate"],
    [/\bidle\b/iu, "available cash"],
    [/\bat work\b/iu, "invested"],
    [/\b(?:claim(?!s?\})|take out)\b/iu, "collect"],
    [/\b(?:this )?instance\b/iu, "this site"],
    [/\bwinding up\b/iu, "winding down"],
    [/\btotal deposits\b/iu, "total assets"],
    [/\boperators?’s? books\b|\boperator’s fee\b/iu, "as reported by the operator, performance fee"],
    [/\broll-overs?\b/iu, "rollover"],
    [/\bfingerprint of\b/iu, "hash"],
    [
      /\b(?:un)?(?:realis|annualis|recognis|organis|authoris)(?:e|ed|es|ing|ation)\b|\b(?:cancelled|(?:kilo)?metres?|neighbour(?:s|ing)?)\b/iu,
      "US spelling",
    ],
  ],
  "zh-CN": [
    [/清盘/u, "清算"],
    [/绑定/u, "关联"],
    [/身份验证/u, "身份认证"],
    [/披露/u, "报告"],
    [/收入报告/u, "收益报告"],
    [/司库/u, "资金管理人"],
    [/保管机构/u, "托管方"],
    [/网络费/u, "网络手续费"],
    [/本平台|本网站/u, "本站"],
    [/智能合约/u, "合约"],
    [/业绩费/u, "业绩报酬"],
    [/现金/u, "资金"],
  ],
  "zh-TW": [
    [/清盤/u, "清算"],
    [/關聯|已連結|連結的?錢包|錢包連結/u, "綁定"],
    [/身份/u, "身分"],
    [/揭露/u, "報告"],
    [/託管/u, "保管機構"],
    [/罰金/u, "提前解約費用"],
    [/網路費/u, "網路手續費"],
    [/智能合約|智慧合約/u, "合約"],
    [/設備/u, "裝置"],
    [/現金/u, "資金"],
    [/持倉/u, "持有部位"],
    [/數據/u, "資料"],
  ],
  "ko-KR": [
    [/(?<!옮)기기/u, "장치"],
    [/환매|인출/u, "출금"],
    [/(?<!예치)증서/u, "예치증서"],
    [/(?<!거래내역|거래 내역)명세서/u, "거래내역서"],
    [/이율/u, "금리"],
    [/(?<!이)메일/u, "이메일"],
    [/재무 담당/u, "자금 관리자"],
    [/인증자/u, "신원 확인자"],
    [/신원 확인(?!자)/u, "본인 인증"],
    [/거래 해시/u, "트랜잭션 해시"],
    [/하십시오/u, "하세요"],
    [/현금/u, "자금"],
  ],
  "fr-FR": [
    [/(?<![\p{L}-])(?:courriels?|mails?)(?!\p{L})/iu, "e-mail"],
    [/(?<!\p{L})(?:lier|liez|liée?s?)(?!\p{L})/iu, "associer"],
    [/(?<!\p{L})(?:liquidités|fonds oisifs)(?!\p{L})/iu, "fonds disponibles"],
    [/(?<!\p{L})rachet/iu, "retirer"],
    [/(?<!\p{L})# (?:de )?reçus?(?!\p{L})/iu, "certificat"],
    [/(?<!\p{L})greffier(?!\p{L})/iu, "agent d’enregistrement"],
  ],
};

const frenchSpacing = /[^\u202f][;!?%]|[^\u00a0]:(?![\d/])|«[^\u00a0]|[^\u00a0]»/u;

export const longestSentence = 25;

/** A message without ICU syntax: each placeholder becomes one word, and all branches of a plural remain. */
export function prose(message: string): string {
  return message
    .replace(/\{\w+, plural,/g, "")
    .replace(/\b(one|many|few|other) \{/g, " ")
    .replace(/\{\w+\}/g, "0")
    .replace(/[{}]/g, " ");
}

function longSentence(text: string, limit = longestSentence): string | undefined {
  return text.split(/(?<=[.!?])\s+/).find((sentence) => sentence.split(/\s+/).length > limit);
}

/** Maximum length of a button and of a label. In Chinese and Korean, only characters of that script count. */
export const longest = {
  button: { "en-US": 20, "zh-CN": 8, "zh-TW": 8, "ko-KR": 12, "fr-FR": 26 },
  label: { "en-US": 24, "fr-FR": 28 },
} as const satisfies Record<string, Partial<Record<Language, number>>>;

/** The displayed length of a text without the values of its placeholders. For a plural, the longest branch counts. */
export function lengthOf(language: Language, message: string): number {
  const branches = message.match(/\b(?:one|many|few|other) \{[^{}]*\}/g) ?? [""];
  const lengths = branches.map((branch) => {
    const shown = message
      .replace(/\{\w+, plural,.*\}\}/g, branch.replace(/^\w+ \{|\}$/g, ""))
      .replace(/\{\w+\}|#/g, "");
    if (language === "ko-KR") return shown.match(/\p{Script=Hangul}/gu)?.length ?? 0;
    if (language.startsWith("zh")) return shown.match(/\p{Script=Han}/gu)?.length ?? 0;
    return shown.replace(/\s+/g, " ").trim().length;
  });
  return Math.max(...lengths);
}

const units = "unit|symbol|currency|asset";

/** Amounts of the English text that another language shows without the unit beside them, as `{amount} {unit}`. */
export function lostUnits(english: string, message: string): string[] {
  return [...english.matchAll(new RegExp(`\\{(\\w+)\\} \\{(${units})\\}`, "g"))]
    .map(([pair]) => pair)
    .filter((pair) => !message.replaceAll("\u00a0", " ").includes(pair));
}

/** Whether a placeholder that is filled with a bare amount has its unit beside it. */
export function hasUnit(message: string, name: string): boolean {
  return new RegExp(`\\{${name}\\} (\\{(${units})\\}|shares\\b|of \\{\\w+\\} shares\\b|tUSD\\b|ETH\\b)`).test(message);
}

/** The rules of its language that a text breaks, one entry per rule. */
export function offences(language: Language, message: string): string[] {
  const text = prose(message);
  const word = text.match(banned[language])?.[0];
  const found = word === undefined ? [] : [`banned: ${word}`];
  for (const [second, name] of secondNames[language]) {
    const used = text.match(second)?.[0];
    if (used !== undefined) found.push(`second name: ${used} for ${name}`);
  }
  if (text.includes("'")) found.push("straight apostrophe");
  if (language === "fr-FR" && frenchSpacing.test(text)) found.push("spacing");
  if (language === "en-US" && longSentence(text) !== undefined) found.push(`more than ${longestSentence} words`);
  return found;
}

/** Banned words of English that technical documents need in their plain meaning. */
const technicalWords = /^(counts|dear|in all)$/iu;
/** Technical documents name things by their identifiers and list conditions, which takes longer sentences. */
const longestTechnicalSentence = 35;

/**
 * The paragraphs, headings and list items of a Markdown document as plain text, without code blocks and quotes. An
 * inline code span is one word. The cells of tables are included only `withTables`.
 */
export function paragraphsOf(markdown: string, withTables: boolean): string[] {
  return markdown
    .replace(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replace(/^ *>.*$/gm, "")
    .replace(/``?[^`]+``?/g, "code")
    .replace(/<[^<>\s]+>/g, "link")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/"[^"\n]*"/g, "quote")
    .replace(/^ *\|.*$/gm, (row) => (withTables ? `\n\n${row.replaceAll("|", "\n\n")}\n\n` : "\n"))
    .replace(/^#.*$/gm, "\n$&\n")
    .replace(/\*+/g, "")
    .split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/)
    .map((paragraph) => paragraph.replace(/[ \n]+/g, " ").trim())
    .filter((paragraph) => /\w/.test(paragraph));
}

/**
 * The rules of English that a Markdown document breaks, each with the start of its sentence. Savers' documents follow
 * the rules of the site's texts.
 */
export function documentOffences(markdown: string, reader: "saver" | "engineer"): string[] {
  const forSavers = reader === "saver";
  return paragraphsOf(markdown, forSavers).flatMap((paragraph) => {
    const at = (sentence: string) => `: ${sentence.slice(0, 60)}`;
    const words = [...paragraph.matchAll(new RegExp(banned["en-US"], "giu"))].map(([word]) => word);
    const found = words
      .filter((word) => forSavers || !technicalWords.test(word))
      .map((word) => `banned: ${word}${at(paragraph)}`);
    for (const [second, name] of forSavers ? secondNames["en-US"] : []) {
      const used = paragraph.match(second)?.[0];
      if (used !== undefined) found.push(`second name: ${used} for ${name}${at(paragraph)}`);
    }
    const limit = forSavers ? longestSentence : longestTechnicalSentence;
    const long = longSentence(paragraph.replaceAll(": ", ":. "), limit);
    return long === undefined ? found : [...found, `more than ${limit} words${at(long)}`];
  });
}

/** The text of a key in each language if its English text is exactly this term. */
export const glossary: Record<string, Record<Exclude<Language, "en-US">, string>> = Object.fromEntries(
  [
    ["Demand deposit", "活期存款", "活期存款", "수시 예치", "Dépôt à vue"],
    ["Time deposit", "定期存款", "定期存款", "정기 예치", "Dépôt à terme"],
    ["Term", "期限", "期限", "기간", "Durée"],
    ["Maturity", "到期", "到期", "만기", "Échéance"],
    ["Maturity instruction", "到期安排", "到期指示", "만기 처리 방법", "Consigne d’échéance"],
    ["Receipts", "存单", "存單", "예치증서", "Certificats"],
    ["Principal", "本金", "本金", "원금", "Capital"],
    ["Interest", "利息", "利息", "이자", "Intérêts"],
    ["Rate", "利率", "利率", "금리", "Taux"],
    ["Share", "份额", "份額", "지분", "Part"],
    ["Share price", "份额净值", "單位淨值", "지분 가격", "Prix de la part"],
    ["Early withdrawal", "提前支取", "提前解約", "중도 해지", "Sortie anticipée"],
    ["Withdrawal queue", "赎回队列", "贖回佇列", "출금 대기열", "File de retrait"],
    ["Withdrawal request", "赎回申请", "贖回申請", "출금 신청", "Demande de retrait"],
    ["Invested", "已投放资金", "已投放資金", "운용 중인 자금", "Fonds investis"],
    ["Cash buffer", "缓冲资金", "緩衝資金", "완충 자금", "Réserve de liquidité"],
    ["Custodian", "托管方", "保管機構", "수탁기관", "Dépositaire"],
    ["Coverage ratio", "覆盖率", "覆蓋率", "충당률", "Taux de couverture"],
    ["Liabilities", "负债", "負債", "부채", "Engagements"],
    ["Income report", "收益报告", "收益報告", "수입 보고", "Rapport de revenus"],
    ["Loss", "亏损", "虧損", "손실", "Perte"],
    ["Net deposits", "净存入", "淨存入", "순예치액", "Dépôts nets"],
    ["Unrealized gain", "未实现盈亏", "未實現損益", "미실현 손익", "Plus-value latente"],
    ["Activity", "交易记录", "交易紀錄", "거래 내역", "Historique"],
    ["Statement", "对账单", "對帳單", "거래내역서", "Relevé de compte"],
    ["Statements", "对账单", "對帳單", "거래내역서", "Relevés de compte"],
    ["Guardian", "守护者", "守護者", "가디언", "Gardien"],
    ["Treasurer", "资金管理人", "資金管理人", "자금 관리자", "Trésorier"],
    ["Identity verifier", "身份认证方", "身分驗證方", "신원 확인자", "Vérificateur d’identité"],
    ["The operator", "运营方", "營運方", "운영자", "L’exploitant"],
    ["Transaction", "交易", "交易", "트랜잭션", "Transaction"],
    ["Device", "设备", "裝置", "장치", "Appareil"],
    ["Batch", "批次", "批次", "배치", "Lot"],
    ["Supporting documents", "证明文件", "證明文件", "증빙", "Justificatifs"],
    ["Portfolios", "投资组合", "投資組合", "포트폴리오", "Placements"],
    ["Product", "产品", "商品", "상품", "Produit"],
    ["Contracts", "合约", "合約", "컨트랙트", "Contrats"],
    ["Cash available now", "当前可用资金", "目前可用資金", "현재 가용 자금", "Fonds disponibles"],
    ["Withdrawable now", "可立即赎回", "可立即贖回", "즉시 출금 가능", "Retirable maintenant"],
    ["Total assets", "总资产", "總資產", "총자산", "Total des actifs"],
    ["Last report", "最近报告", "最近報告", "최근 보고", "Dernier rapport"],
    ["Performance fee", "业绩报酬", "績效費", "성과 수수료", "Commission de performance"],
    ["Log in", "登录", "登入", "로그인", "Se connecter"],
    ["Sign up", "注册", "註冊", "회원가입", "S’inscrire"],
  ].map(([english = "", simplified = "", traditional = "", korean = "", french = ""]) => [
    english,
    { "zh-CN": simplified, "zh-TW": traditional, "ko-KR": korean, "fr-FR": french },
  ]),
);
