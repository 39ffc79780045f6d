import { MINUTE_MS } from "@aqua/sdk/durations";
import { formatCount, formatDuration, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { ChainSource } from "../../wallet/chain-reader.ts";
import { momentText } from "../readings/reading-text.ts";
import type { Compared, Written } from "./comparison.ts";

const looks = {
  equal: "positive",
  fits: "positive",
  enough: "positive",
  different: "negative",
  open: "plain",
  unread: "caution",
} as const;

/** A rate with all its digits, at least two of them. */
function rateText(value: string): string {
  const digits = (value.split(".")[1] ?? "").replace(/0+$/, "").length - 2;
  return formatRate(value, { digits: Math.max(2, digits) });
}

interface Side {
  as: Written;
  value: string | null;
  symbol: string;
  decimals: number;
  word: (value: string) => string;
}

/** One side's value with every digit, because readers compare the two sides. */
function ShownValue({ as, value, symbol, decimals, word }: Side) {
  if (value === null) return "—";
  switch (as) {
    case "amount":
      return <Amount value={value} unit={symbol} digits={decimals} minDigits={2} mono />;
    case "shares":
      return <Amount value={value} digits={18} minDigits={2} mono />;
    case "price":
      return <Amount value={value} digits={18} minDigits={6} mono />;
    case "rate":
      return rateText(value);
    case "address":
      return <Address address={value} what={t("products.address")} />;
    case "time":
      return <span className="font-sans text-12">{momentText(Number(value))}</span>;
    case "count":
      return formatCount(Number(value));
    case "word":
      return <span className="font-sans">{word(value)}</span>;
  }
}

interface ComparedTableProps<Name extends string> {
  caption: string;
  figures: readonly Compared<Name>[];
  title: (figure: Name) => string;
  symbol: string;
  decimals: number;
  /** Translates values of type "word"; required if any figure has that type. */
  word?: (figure: Name, value: string) => string;
}

/** Shows for each figure this site's value, the chain's value, and whether they are equal. */
export function ComparedTable<Name extends string>(props: ComparedTableProps<Name>) {
  const { caption, figures, title, symbol, decimals, word = (_figure, value) => value } = props;
  const side = (of: "site" | "chain") => (row: Compared<Name>) => (
    <ShownValue
      as={row.as}
      value={row[of]}
      symbol={symbol}
      decimals={decimals}
      word={(value) => word(row.figure, value)}
    />
  );
  const columns: Column<Compared<Name>>[] = [
    {
      key: "figure",
      title: t("transparency.check.figure"),
      lead: true,
      render: (row) => (
        <>
          {title(row.figure)}
          <span className="block font-mono text-12 font-normal text-muted">{row.query}</span>
        </>
      ),
    },
    { key: "site", title: t("transparency.check.site"), figure: true, render: side("site") },
    { key: "chain", title: t("transparency.check.chain"), figure: true, render: side("chain") },
    {
      key: "standing",
      title: t("transparency.check.verdict"),
      render: ({ standing }) => <Badge look={looks[standing]}>{t(`evidence.standing.${standing}`)}</Badge>,
    },
  ];
  return (
    <div className="-mx-5 border-y border-line">
      <Table caption={caption} columns={columns} rows={figures} rowKey={(row) => row.figure} />
    </div>
  );
}

interface ComparedVerdictProps {
  figures: readonly Compared<string>[];
  /** The text if all figures are equal, and the text if one differs. */
  holds: string;
  differs: string;
}

/** States the overall result in one sentence. */
export function ComparedVerdict({ figures, holds, differs }: ComparedVerdictProps) {
  const unread = figures.some(({ standing }) => standing === "unread");
  const compared = figures.filter(({ standing }) => standing !== "open" && standing !== "unread").length;
  const wrong = figures.filter(({ standing }) => standing === "different").length;
  if (compared === 0) return <Notice look="caution" live="status" title={t("evidence.compared.none")} />;
  return wrong === 0 ? (
    <Notice
      look={unread ? "caution" : "success"}
      live="status"
      title={t("evidence.compared.holds", { count: compared })}
    >
      {unread ? t("evidence.compared.unread") : holds}
    </Notice>
  ) : (
    <Notice look="error" live="status" title={t("evidence.compared.differs", { count: wrong })}>
      {differs}
    </Notice>
  );
}

/** Says that no node answered for the chain. This is not a verdict on the figures. */
export function ChainAway() {
  return (
    <Notice look="caution" live="status" title={t("evidence.compared.chain_away")}>
      {t("evidence.compared.chain_away.text")}
    </Notice>
  );
}

/** The comparison is called old if the newest block is later than the compared one by more milliseconds than this. */
const maxAge = 5 * MINUTE_MS;

/**
 * Names who answered the chain calls, and says whether the compared block is old. `age` is the time from that block to
 * the newest one, in milliseconds.
 */
export function ReadBy({ source, age = 0 }: { source: ChainSource; age?: number }) {
  return (
    <p className="max-w-[68ch] text-12 text-muted">
      {age > maxAge && (
        <span className="block text-caution">{t("evidence.compared.old", { age: formatDuration(age) })}</span>
      )}
      {source.by === "wallet" ? t("readings.source.wallet", { name: source.name }) : t("evidence.compared.site")}{" "}
      {t("readings.source.contract")}
    </p>
  );
}
