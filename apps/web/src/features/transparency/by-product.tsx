import { type ReactNode, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { NamedSection } from "./named-section.tsx";
import { PagedTable, type PagedTableProps, type RowsQuery } from "./paged-table.tsx";
import { ProductFilter } from "./product-filter.tsx";
import { type SectionName, sections } from "./sections.ts";

interface ByProductProps<Row> extends Omit<PagedTableProps<Row>, "query" | "page" | "onPage" | "caption"> {
  name: SectionName;
  intro: string;
  /** Shown above the table. */
  note?: ReactNode;
  products: readonly { short_id: string; name: string }[];
  /** Fetches a page of rows of one product or of all. */
  useRows: (page: number, shortId: string | null) => RowsQuery<Row>;
}

/** A section with a table that shows all products or only the chosen one. */
export function ByProduct<Row>({ name, intro, note, products, useRows, ...table }: ByProductProps<Row>) {
  const [page, setPage] = useState(1);
  const [product, setProduct] = useState<string | null>(null);
  const query = useRows(page, product);
  const choose = (next: string | null) => {
    setProduct(next);
    setPage(1);
  };
  return (
    <NamedSection
      name={name}
      intro={intro}
      aside={<ProductFilter products={products} value={product} onChange={choose} />}
    >
      {note}
      <div className="panel overflow-hidden">
        <PagedTable {...table} caption={t(sections[name].title)} query={query} page={page} onPage={setPage} />
      </div>
    </NamedSection>
  );
}
