import { legalNames } from "@aqua/sdk/api/rules";
import { lazy, Suspense } from "react";
import { Link } from "react-router";
import { t } from "../../i18n/i18n.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Thread } from "../../ui/thread.tsx";
import { useProductList } from "../products/list.ts";
import { Conditions } from "./conditions.tsx";
import { Instance } from "./instance.tsx";
import { custodyTexts, exitText, feeTexts, vestingText } from "./statements.ts";

const Legal = lazy(() => import("./legal.tsx"));

const steps = ["device", "batch", "report", "price", "payout"] as const;
const risks = ["asset", "operator", "contract", "coin", "exit", "key"] as const;
const terms = [
  "share",
  "sharePrice",
  "queue",
  "maturity",
  "custodian",
  "anchor",
  "apy",
  "tvl",
  "cap",
  "unrealised",
  "netDeposits",
  "moneyWeighted",
  "stamp",
] as const;
const parts = ["who", "flow", "exits", "risks", "fees", "check", "glossary"] as const;

interface Definition {
  name: string;
  meaning: string;
}

function Definitions({ of }: { of: readonly Definition[] }) {
  return (
    <dl className="panel divide-y divide-line">
      {of.map(({ name, meaning }) => (
        <div key={name} className="grid gap-x-6 gap-y-1 px-5 py-4 sm:grid-cols-[200px_minmax(0,1fr)]">
          <dt className="text-14 font-strong">{name}</dt>
          <dd className="max-w-[68ch] text-14 text-muted">{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}

function Sentences({ texts }: { texts: readonly (string | null)[] }) {
  return (
    <div className="flex max-w-[68ch] flex-col gap-3">
      {texts.map((text) => text !== null && <p key={text}>{text}</p>)}
    </div>
  );
}

/**
 * Explains what this site is, where the money goes, what can go wrong and what it costs. Figures and sentences come
 * from the contracts.
 */
export default function AboutPage() {
  usePageTitle(t("about.title"));
  const { data, isError, error, isFetching, refetch } = useProductList();
  const products = data?.items;
  const failed = isError && !products && <ErrorState error={error} busy={isFetching} onRetry={() => refetch()} />;
  const pending = products === undefined && !failed && <Skeleton className="h-24" />;
  return (
    <>
      <PageHead seed="about" title={t("about.title")} lead={t("about.lead")} />
      <div className="page flex flex-col gap-12 pt-8 *:max-w-[960px]">
        <nav aria-label={t("about.parts")}>
          <ul className="flex flex-wrap gap-x-5 gap-y-1 text-14">
            {[...parts, ...legalNames].map((part) => (
              <li key={part}>
                <Link to={`#${part}`} className="link inline-flex min-h-11 items-center sm:min-h-0">
                  {t(`about.${part}`)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <Section title={t("about.who")} anchor="who">
          <Sentences texts={[t("about.who.text"), t("about.who.instance")]} />
          <Instance />
        </Section>
        <Section title={t("about.flow")} anchor="flow">
          <Sentences
            texts={[t("about.flow.deposit"), t("about.flow.invest"), ...(products ? custodyTexts(products) : [])]}
          />
          <div className="mt-5">{failed || pending || (products && <Conditions products={products} />)}</div>
          <div className="mt-5">
            <Sentences
              texts={[t("about.flow.report"), products ? vestingText(products) : null, t("about.flow.interest")]}
            />
          </div>
        </Section>
        <Section title={t("about.exits")} anchor="exits">
          <Sentences texts={[t("about.exits.text"), products ? exitText(products) : null, t("about.exits.time")]} />
        </Section>
        <Section title={t("about.risks")} intro={t("about.risks.intro")} anchor="risks">
          <Definitions
            of={risks.map((risk) => ({ name: t(`about.risk.${risk}`), meaning: t(`about.risk.${risk}.text`) }))}
          />
        </Section>
        <Section title={t("about.fees")} anchor="fees">
          {failed || pending || (products && <Sentences texts={feeTexts(products)} />)}
        </Section>
        <Section title={t("about.check")} intro={t("about.check.intro")} anchor="check">
          <div className="panel p-5">
            <Thread
              label={t("about.check")}
              knots={steps.map((knot) => ({
                key: knot,
                label: t(`about.data.${knot}`),
                note: t(`about.data.${knot}.text`),
              }))}
            />
          </div>
          <p className="mt-4 text-14">
            <Link to={paths.transparency} className="link">
              {t("shell.contracts")}
            </Link>
          </p>
        </Section>
        <Section title={t("about.glossary")} anchor="glossary">
          <Definitions
            of={terms.map((term) => ({ name: t(`glossary.${term}`), meaning: t(`glossary.${term}.text`) }))}
          />
        </Section>
        <Suspense fallback={<Skeleton className="h-57 rounded-12" />}>
          <Legal />
        </Suspense>
      </div>
    </>
  );
}
