import { readFileSync } from "node:fs";
import { type ProductDocument, productDocument } from "@aqua/sdk/api/document";
import type { LanguageCode } from "@aqua/sdk/languages";
import { formatUnits, parseUnits } from "@aqua/sdk/maths/units";
import { productsFolder } from "../../src/documents.ts";

/** A vault's settings on chain; fractions with 18 decimals, times in seconds. */
export interface DemandSettings {
  buffer: bigint;
  fee: bigint;
  vestingTime: bigint;
  /** The longest time over which a report's gain is streamed. */
  longestStream: bigint;
  maxReportAge: bigint;
}

export interface TermSettings {
  count: number;
  unit: "week" | "month" | "year";
  rate: bigint;
  breakRate: bigint;
  penalty: bigint;
}

/** Settings of a time deposit, with its terms in their order. */
export interface TimeSettings {
  buffer: bigint;
  terms: readonly TermSettings[];
}

const HOUR = 3_600n;
const DAY = 86_400n;

/**
 * Formats of figures in a language, and regular expressions for sentences that must match the chain; a space matches
 * any white space.
 */
interface Language {
  percent: string;
  between: string;
  seven: string;
  three: string;
  units: Record<TermSettings["unit"], readonly [one: string, more: string]>;
  open: readonly string[];
  closed: readonly string[];
  time: readonly string[];
  rate: string;
  late: string;
  /** Possible cost of leaving early: with terms of weeks, and for the first two or three months. */
  weeks: string;
  months: readonly [two: string, three: string];
}

const languages: Record<LanguageCode, Language> = {
  "en-US": {
    percent: "%",
    between: " to ",
    seven: "seven days",
    three: "three days",
    units: { week: [" week", " weeks"], month: [" month", " months"], year: [" year", " years"] },
    open: [
      "Money is invested only while {buffer} of all assets stays available as cash\\.",
      "added to the share price over the time it covers, {hours} hours at least and {days} days at most",
      "highest so far, {fee} is the performance fee\\.",
      "After {seven} without a report",
    ],
    closed: [
      "added to the share price over the time it covered, {hours} hours at least and {days} days at most",
      "highest so far, {fee} was the performance fee\\.",
      "If reports stop for more than {seven}",
    ],
    time: [
      "a term of {first}, {second} or {third}\\.",
      "you are paid {breakRate} a year instead of the full rate, less a fee of {penalty} of the principal\\.",
      "only while {buffer} of the principal stays in cash",
    ],
    rate: "{rate}( a year)? for {length}",
    late: "missing {three} after it was demanded",
    weeks:
      "the terms of {first} and {second} weeks that is always less than you paid in, with {third} for the first {weeks}\\.",
    months: ["In the first two months", "In the first three months"],
  },
  "fr-FR": {
    percent: " %",
    between: " à ",
    seven: "sept jours",
    three: "trois jours",
    units: { week: [" semaine", " semaines"], month: [" mois", " mois"], year: [" an", " ans"] },
    open: [
      "investi que tant que {buffer} du total des actifs reste en fonds disponibles\\.",
      "sur la durée qu’il couvre, {hours} heures au moins et {days} jours au plus",
      "{fee} constituent la commission de performance\\.",
      "Après {seven} sans rapport",
    ],
    closed: [
      "sur la durée qu’il couvrait, {hours} heures au moins et {days} jours au plus",
      "{fee} constituaient la commission de performance\\.",
      "plus de {seven}",
    ],
    time: [
      "une durée de {first}, {second} ou {third}\\.",
      "vous recevez {breakRate} par an au lieu du taux entier, moins des frais de {penalty} du capital\\.",
      "que tant que {buffer} du capital reste en fonds disponibles",
    ],
    rate: "{rate}( par an)? pour {length}",
    late: "encore {three} après avoir été réclamé",
    weeks:
      "Pour {first} et {second} semaines, vous recevez toujours moins que votre dépôt ; pour {third}, c’est le cas pendant les {weeks} premières",
    months: ["Les deux premiers mois", "Les trois premiers mois"],
  },
  "ko-KR": {
    percent: "%",
    between: " ~ ",
    seven: "7일",
    three: "3일",
    units: { week: ["주", "주"], month: ["개월", "개월"], year: ["년", "년"] },
    open: [
      "총자산의 {buffer}가 가용 자금으로 남는 한도에서만",
      "\\(최소 {hours}시간, 최대 {days}일\\)에 걸쳐",
      "이익 중 {fee}는 성과 수수료입니다",
      "{seven} 동안 보고가 없으면",
    ],
    closed: [
      "\\(최소 {hours}시간, 최대 {days}일\\)에 걸쳐",
      "이익 중 {fee}는 성과 수수료였습니다",
      "보고가 {seven} 넘게",
    ],
    time: [
      "기간은 {firstLong}, {secondLong}, {third} 가운데",
      "연 {breakRate}의 금리가 적용되고, 원금의 {penalty}가 수수료로 차감됩니다",
      "원금의 {buffer}가 컨트랙트에 남는 한도에서만",
    ],
    rate: "{length}(는)? {rate}",
    late: "청구한 뒤 {three}이 지나도",
    weeks: "{firstLong}와 {secondLong} 기간에는 언제나 예치한 금액보다 적고, {third} 기간에는 처음 {weeks}주 동안",
    months: ["처음 두 달에는", "처음 석 달에는"],
  },
  "zh-CN": {
    percent: "%",
    between: " 至 ",
    seven: "七天",
    three: "三天",
    units: { week: [" 周", " 周"], month: [" 个月", " 个月"], year: [" 年", " 年"] },
    open: [
      "只有在全部资产的 {buffer} 仍为可用资金时",
      "（至少 {hours} 小时，至多 {days} 天）逐步计入",
      "{fee} 为业绩报酬",
      "连续{seven}没有报告时",
    ],
    closed: ["（至少 {hours} 小时，至多 {days} 天）逐步计入", "{fee} 为业绩报酬", "报告中断超过{seven}"],
    time: [
      "选择 {first}、{second} 或 {third}的期限",
      "按 {breakRate} 的年利率计息，而不是全额利率，并扣除本金的 {penalty} 作为费用。",
      "只有在 {buffer} 的本金仍在合约中时",
    ],
    rate: "{length}(为年利率)? {rate}",
    late: "催付后{three}仍未到账",
    weeks: "{firstLong}和 {secondLong}期限总是少于你存入的金额，{third}期限在前 {weeks} 周内也是如此",
    months: ["最初两个月里", "最初三个月里"],
  },
  "zh-TW": {
    percent: "%",
    between: " 至 ",
    seven: "七天",
    three: "三天",
    units: { week: [" 週", " 週"], month: [" 個月", " 個月"], year: [" 年", " 年"] },
    open: [
      "只有在全部資產的 {buffer} 仍為可用資金時",
      "（至少 {hours} 小時，至多 {days} 天）逐步計入",
      "{fee} 為績效費",
      "連續{seven}沒有報告時",
    ],
    closed: ["（至少 {hours} 小時，至多 {days} 天）逐步計入", "{fee} 為績效費", "報告中斷超過{seven}"],
    time: [
      "選擇 {first}、{second} 或 {third}的期限",
      "按 {breakRate} 的年利率計息，而不是全額利率，並扣除本金的 {penalty} 作為費用。",
      "只有在 {buffer} 的本金仍在合約中時",
    ],
    rate: "{length}(為年利率)? {rate}",
    late: "催付後{three}仍未到帳",
    weeks: "{firstLong}和 {secondLong}期限總是少於您存入的金額，{third}期限在前 {weeks} 週內也是如此",
    months: ["最初兩個月裡", "最初三個月裡"],
  },
};

function percent(fraction: bigint, language: LanguageCode): string {
  const figure = formatUnits(fraction, 16).replace(/\.?0+$/, "");
  return language === "fr-FR" ? figure.replace(".", ",") : figure;
}

function filled(template: string, values: Record<string, string>): RegExp {
  const escaped = (value: string) => value.replace(/[.%]/g, "\\$&");
  const source = template.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name] ?? `{${name}}`));
  return new RegExp(source.replaceAll(" ", "\\s"));
}

/** Returns patterns that the texts of a demand deposit must match, from its vault's settings. */
export function demandTexts(
  { buffer, fee, vestingTime, longestStream, maxReportAge }: DemandSettings,
  { language, closed }: { language: LanguageCode; closed: boolean },
): RegExp[] {
  const words = languages[language];
  if (maxReportAge !== 7n * DAY) throw new Error("The texts say seven days.");
  const values = {
    buffer: percent(buffer, language) + words.percent,
    fee: percent(fee, language) + words.percent,
    hours: String(vestingTime / HOUR),
    days: String(longestStream / DAY),
    seven: words.seven,
  };
  return words[closed ? "closed" : "open"].map((template) => filled(template, values));
}

/** Returns patterns that the texts of a time deposit must match, from its contract's settings. */
export function timeTexts({ buffer, terms }: TimeSettings, language: LanguageCode): RegExp[] {
  const words = languages[language];
  const length = ({ count, unit }: TermSettings) => `${count}${words.units[unit][count === 1 ? 0 : 1]}`;
  const range = (all: readonly bigint[]) => {
    const [low, high] = [all.reduce((a, b) => (a < b ? a : b)), all.reduce((a, b) => (a > b ? a : b))];
    const from = low === high ? "" : percent(low, language) + words.between;
    return from + percent(high, language) + words.percent;
  };
  const [first, second, third] = terms as [TermSettings, TermSettings, TermSettings];
  const values = {
    first: String(first.count),
    second: String(second.count),
    firstLong: length(first),
    secondLong: length(second),
    third: length(third),
    buffer: percent(buffer, language) + words.percent,
    breakRate: range(terms.map((term) => term.breakRate)),
    penalty: range(terms.map((term) => term.penalty)),
    weeks: String(Math.ceil(costlyDays(third) / 7)),
  };
  return [
    filled(costText(terms, words), values),
    ...words.time.map((template) => filled(template, values)),
    ...terms.map((term) =>
      filled(words.rate, { length: length(term), rate: percent(term.rate, language) + words.percent }),
    ),
  ];
}

/** The number of days for which an early exit pays less than the deposit. */
function costlyDays({ penalty, breakRate }: TermSettings): number {
  return Number(penalty * 365n * 1_000n) / Number(breakRate * 1_000n);
}

function costText(terms: readonly TermSettings[], words: Language): string {
  const days = terms.map(costlyDays);
  if (terms.every(({ unit }) => unit === "week")) {
    const always = terms.map(({ count }, index) => (days[index] ?? 0) >= count * 7);
    if (always.join() !== "true,true,false") throw new Error("The texts say that of the first two terms.");
    return words.weeks;
  }
  const months = Math.round(Math.max(...days) / (365 / 12));
  const [two, three] = words.months;
  if (months !== 2 && months !== 3) throw new Error(`The texts say nothing of ${months} months.`);
  return months === 2 ? two : three;
}

/**
 * Returns the pattern for the time (seconds) that a demanded payment may be missing before a time deposit is wound
 * down.
 */
export function lateText(grace: bigint, language: LanguageCode): RegExp {
  if (grace !== 3n * DAY) throw new Error("The texts say three days.");
  return filled(languages[language].late, { three: languages[language].three });
}

function documentOf(shortId: string): ProductDocument {
  return productDocument.parse(JSON.parse(readFileSync(`${productsFolder}${shortId}.json`, "utf8")));
}

/** Every text of a product's document in a language. */
export function textOf(shortId: string, language: LanguageCode): string {
  const document = documentOf(shortId);
  const texts = language === "en-US" ? document : document.translations[language];
  const { summary, description = [], yield_source = [], risks = [], other_income = [] } = texts ?? {};
  return [
    summary,
    ...description,
    ...yield_source,
    ...risks.flatMap(({ title, text }) => [title, text]),
    ...other_income.map(({ reason }) => reason),
  ].join("\n");
}

/**
 * The figures of the invented asset in a document's English texts: those that are neither in `chainWords` nor
 * in the metric or the other income. Throws if the texts lack a figure of the metric.
 */
export function assetFiguresIn(shortId: string, chainWords: readonly RegExp[]): string[] {
  const { income, other_income } = documentOf(shortId);
  let text = chainWords.reduce((rest, words) => rest.replace(words, ""), textOf(shortId, "en-US"));
  const metric = income
    ? [income.price, `${percent(parseUnits(income.share, 18), "en-US")}%`, grouped(income.financed)]
    : [];
  for (const figure of [...metric, ...other_income.map(({ amount }) => grouped(amount.replace(/\.0+$/, "")))]) {
    if (!text.includes(figure)) throw new Error(`The texts of ${shortId} do not say ${figure}.`);
    text = text.replaceAll(figure, "");
  }
  return [...new Set(text.match(/\d[\d,.]*\d|\d/g))];
}

/** 5200000 → 5,200,000 */
function grouped(whole: string): string {
  return whole.replace(/\B(?=(\d{3})+$)/g, ",");
}
