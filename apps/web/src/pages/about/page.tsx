import { findChain } from "@aqua/sdk/chains";
import { Link } from "react-router";
import { useNetwork } from "../../features/network.ts";
import { t } from "../../i18n/i18n.ts";
import type { MessageKey } from "../../i18n/keys.ts";
import { usePageTitle } from "../../page-title.ts";
import { paths } from "../../paths.ts";
import { Address } from "../../ui/address.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Stamp } from "../../ui/stamp.tsx";
import { Thread } from "../../ui/thread.tsx";

const flow = ["deposit", "hold", "report", "stream", "leave"] as const;
const data = ["asset", "evidence", "report", "price", "payout"] as const;
const risks = ["asset", "operator", "contract", "coin", "exit", "key"] as const;
const terms = [
  "share",
  "sharePrice",
  "apy",
  "tvl",
  "cap",
  "exitValue",
  "realised",
  "unrealised",
  "netDeposits",
  "moneyWeighted",
  "report",
  "stamp",
] as const;

function Definitions({ names, prefix }: { names: readonly string[]; prefix: "about.risk" | "about.term" }) {
  return (
    <dl className="panel divide-y divide-line">
      {names.map((name) => (
        <div key={name} className="grid gap-x-6 gap-y-1 px-5 py-4 sm:grid-cols-[200px_minmax(0,1fr)]">
          <dt className="text-14 font-strong">{t(`${prefix}.${name}` as MessageKey)}</dt>
          <dd className="max-w-[68ch] text-14 text-muted">{t(`${prefix}.${name}.text` as MessageKey)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** This instance's version, networks and the registries that list its products. */
function Instance() {
  const { data: network, isPending, isError, error, isFetching, refetch } = useNetwork();
  if (isError && !network)
    return (
      <div className="mt-5">
        <ErrorState error={error} busy={isFetching} onRetry={() => refetch()} />
      </div>
    );
  if (isPending) return <Skeleton className="mt-5 h-24" />;
  return (
    <dl className="panel mt-5 grid gap-x-10 gap-y-4 p-5 text-14 sm:grid-cols-[auto_1fr]">
      <div>
        <dt className="text-12 text-muted">{t("about.who.version")}</dt>
        <dd className="mt-0.5 font-mono">{network.version}</dd>
      </div>
      <div className="min-w-0">
        <dt className="text-12 text-muted">{t("about.who.chains")}</dt>
        {network.chains.map((chain) => (
          <dd key={chain.chain_id} className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
            <span className="font-strong">{findChain(chain.chain_id)?.name ?? chain.chain_id}</span>
            <span className="inline-flex flex-wrap items-center gap-x-2">
              <span className="text-muted">{t("about.who.registry")}</span>
              <Address
                address={chain.product_registry}
                what={t("about.who.registry")}
                explorer={findChain(chain.chain_id)?.explorer ?? null}
              />
            </span>
            {chain.head && (
              <Stamp align="start" block={chain.head.block} time={chain.head.time} stale={chain.head.stale} />
            )}
          </dd>
        ))}
      </div>
    </dl>
  );
}

export default function AboutPage() {
  usePageTitle(t("about.title"));
  return (
    <>
      <PageHead seed="about" title={t("about.title")} lead={t("about.lead")} />
      <div className="page flex flex-col gap-14 pt-10 *:max-w-[960px]">
        <Section title={t("about.who")}>
          <div className="flex max-w-[68ch] flex-col gap-3">
            <p>{t("about.who.text")}</p>
            <p className="text-muted">{t("about.who.instance")}</p>
          </div>
          <Instance />
        </Section>
        <Section title={t("about.flow")}>
          <ol className="panel divide-y divide-line">
            {flow.map((step, index) => (
              <li key={step} className="flex gap-4 px-5 py-4">
                <span aria-hidden="true" className="font-mono text-14 text-accent">
                  {index + 1}
                </span>
                <p className="max-w-[68ch] text-14">{t(`about.flow.${step}`)}</p>
              </li>
            ))}
          </ol>
        </Section>
        <Section title={t("about.data")} intro={t("about.data.intro")}>
          <div className="panel p-5">
            <Thread
              label={t("about.data")}
              knots={data.map((knot) => ({
                key: knot,
                label: t(`about.data.${knot}`),
                note: t(`about.data.${knot}.text`),
              }))}
            />
          </div>
        </Section>
        <Section title={t("about.risks")} intro={t("about.risks.intro")}>
          <Definitions names={risks} prefix="about.risk" />
        </Section>
        <Section title={t("about.fees")}>
          <p className="max-w-[68ch]">{t("about.fees.text")}</p>
        </Section>
        <Section title={t("about.glossary")}>
          <Definitions names={terms} prefix="about.term" />
        </Section>
        <p className="text-14">
          <Link to={paths.transparency} className="link">
            {t("shell.contracts")}
          </Link>
        </p>
      </div>
    </>
  );
}
