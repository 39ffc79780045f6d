import type { Product } from "@aqua/sdk/api/product";
import { Link } from "react-router";
import { formatRate } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { paths } from "../../paths.ts";
import { Amount } from "../../ui/amount.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { WithheldReason } from "../../ui/withheld.tsx";
import { StateBadge } from "./badges.tsx";
import { CompareBox, MyBalance, Wait } from "./cells.tsx";
import { earningsOf } from "./earnings.ts";
import type { MyBalances } from "./my-balances.ts";
import { ProductPicture } from "./picture.tsx";
import { capFill, chainName, classAndPlace, proofAge } from "./product-labels.ts";

/** A second line under a cell's figure. */
function Note({ children }: { children: string }) {
  return <span className="block font-sans text-12 whitespace-normal text-muted">{children}</span>;
}

function columns(balances: MyBalances | null, chosen: readonly string[], onToggle: (id: string) => void) {
  const all: (Column<Product> | null)[] = [
    {
      key: "name",
      title: t("products.tx.product"),
      lead: true,
      render: (product) => (
        <span className="flex min-w-44 items-center gap-3">
          <ProductPicture
            shortId={product.short_id}
            image={product.image}
            className="hidden size-11 shrink-0 rounded-6 border border-line lg:block"
          />
          <span className="min-w-0">
            <Link to={paths.product(product.short_id)} className="font-strong hover:text-accent hover:underline">
              {product.name}
            </Link>
            <span className="block text-12 font-normal text-muted">{classAndPlace(product)}</span>
          </span>
        </span>
      ),
    },
    {
      key: "status",
      title: t("filters.status"),
      render: (product) => (
        <>
          <StateBadge product={product} />
          <span className="mt-1 block text-12 whitespace-nowrap text-muted">
            {t(`products.type.${product.type}`)}
            <span className="block">{chainName(product.chain_id)}</span>
          </span>
        </>
      ),
    },
    {
      key: "earnings",
      title: t("filters.column.earnings"),
      figure: true,
      render: (product) => {
        const { label, value, note } = earningsOf(product);
        return (
          <>
            <span className="mr-1.5 font-sans text-12 text-muted">{label}</span>
            {formatRate(value)}
            <Note>{note}</Note>
          </>
        );
      },
    },
    {
      key: "tvl",
      title: t("products.tvl"),
      figure: true,
      render: (product) => {
        const { fill, cap } = capFill(product);
        if (product.tvl === null)
          return (
            <>
              —
              <span className="block font-sans text-12 whitespace-normal text-muted">
                <WithheldReason />
              </span>
            </>
          );
        return (
          <>
            <Amount value={product.tvl} unit={product.asset.symbol} compact digits={1} mono />
            <Note>{t("filters.column.cap", { fill, cap })}</Note>
          </>
        );
      },
    },
    {
      key: "exit",
      title: t("products.exitNow"),
      figure: true,
      render: (product) => (
        <>
          <Amount
            value={product.instant_capacity}
            unit={product.asset.symbol}
            compact
            digits={1}
            rounding="down"
            mono
          />
          <span className="block font-sans text-12 whitespace-normal text-muted">
            {t("products.wait.short")}: <Wait product={product} />
          </span>
        </>
      ),
    },
    {
      key: "minimum",
      title: t("products.minimum"),
      figure: true,
      render: (product) => <Amount value={product.min_deposit} unit={product.asset.symbol} minDigits={0} mono />,
    },
    { key: "proof", title: t("products.proof"), render: proofAge },
    balances && {
      key: "mine",
      title: t("products.mine"),
      figure: true,
      render: (product) => <MyBalance product={product} balances={balances} />,
    },
    {
      key: "compare",
      title: t("products.compare"),
      render: (product) => <CompareBox product={product} chosen={chosen} onToggle={onToggle} />,
    },
  ];
  return all.filter((column) => column !== null);
}

interface ProductTableProps {
  products: readonly Product[];
  balances: MyBalances | null;
  chosen: readonly string[];
  onToggle: (id: string) => void;
}

/** One product per row, to compare figures. */
export default function ProductTable({ products, balances, chosen, onToggle }: ProductTableProps) {
  return (
    <div className="panel overflow-hidden">
      <Table
        width="wide"
        caption={t("products.title")}
        columns={columns(balances, chosen, onToggle)}
        rows={products}
        rowKey={(product) => product.short_id}
      />
    </div>
  );
}
