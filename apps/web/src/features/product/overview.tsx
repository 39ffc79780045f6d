import type { ProductDetail } from "@aqua/sdk/api/product";
import type { LanguageCode } from "@aqua/sdk/languages";
import { t } from "../../i18n/i18n.ts";
import { Section } from "../../ui/section.tsx";
import { useContentLanguage } from "../content-language.ts";
import { IncomeChart } from "./income-chart.tsx";
import { MainRisks } from "./main-risks.tsx";
import { More } from "./more.tsx";
import { NoticeList } from "./notice-list.tsx";
import { Terms } from "./term-table.tsx";

/** The first `count` sentences of some paragraphs, as one text. */
function firstSentences(paragraphs: readonly string[], count: number, language: LanguageCode): string {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  return paragraphs
    .flatMap((paragraph) => [...segmenter.segment(paragraph)].map(({ segment }) => segment.trim()))
    .filter((sentence) => sentence !== "")
    .slice(0, count)
    .join(language.startsWith("zh") ? "" : " ");
}

/** Sentences that say what a product is. */
const sentences = 3;

/** What a product is, where its income comes from and what can go wrong; the rest of its document is behind "More". */
export function Overview({ product }: { product: ProductDetail }) {
  const language = useContentLanguage();
  const about = firstSentences([product.summary ?? "", ...product.description], sentences, language);
  const [source] = product.yield_source;
  return (
    <>
      {/* Hidden if there is no notice, because an empty box would leave a gap. */}
      <div className="flex flex-col gap-3 empty:hidden">
        <NoticeList product={product} />
      </div>
      <p className="max-w-[68ch] text-16">{about || t("product.document.none")}</p>
      {product.type === "time_deposit" && <Terms product={product} />}
      <Section title={t("product.yield")}>
        <div className="panel overflow-hidden">
          {source && <p className="p-5 text-14">{source}</p>}
          <IncomeChart product={product} />
        </div>
      </Section>
      <MainRisks product={product} />
      <More product={product} />
    </>
  );
}
