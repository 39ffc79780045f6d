import { formatCount, formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Address } from "../../ui/address.tsx";
import { Amount } from "../../ui/amount.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { ChainSource } from "../../wallet/chain-reader.ts";
import { momentText } from "../readings/reading-text.ts";
import type { Compared, Written } from "./compare.ts";

const looks = {
  equal: "positive",
  fits: "positive",
  enough: "positive",
  different: "negative",
  open: "plain",
} as const;

/** A rate with all the digits it has, two at least. */
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

/** What one side says, to the last digit: it is there to be compared. */
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
  /** A value that is a word, in the reader's language; needed where there are such. */
  word?: (figure: Name, value: string) => string;
}

/** Figure by figure what this site says, what the chain says, and whether it is the same. */
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
          <span className="block font-mono text-12 font-normal text-muted">{row.asked}</span>
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
  /** What it means that all of them hold, and that one does not. */
  holds: string;
  differs: string;
}

/** What it all comes to, in one sentence. */
export function ComparedVerdict({ figures, holds, differs }: ComparedVerdictProps) {
  const wrong = figures.filter(({ standing }) => standing === "different").length;
  return wrong === 0 ? (
    <Notice look="success" live="status" title={t("evidence.compared.holds")}>
      {holds}
    </Notice>
  ) : (
    <Notice look="error" live="status" title={t("evidence.compared.differs", { count: wrong })}>
      {differs}
    </Notice>
  );
}

/** Nobody answered for the chain, which is no verdict. */
export function ChainAway() {
  return (
    <Notice look="caution" live="status" title={t("evidence.compared.chain_away")}>
      {t("evidence.compared.chain_away.text")}
    </Notice>
  );
}

/** Who answered for the chain. */
export function ReadBy({ source }: { source: ChainSource }) {
  return (
    <p className="max-w-[68ch] text-12 text-muted">
      {source.by === "wallet" ? t("readings.source.wallet", { name: source.name }) : t("evidence.compared.site")}
    </p>
  );
}
