import type { LegalName } from "@aqua/sdk/api/rules";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../i18n/i18n.ts";
import { Empty } from "../../ui/empty.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";

const isNotFound = (error: unknown) => (error as { error_code?: unknown } | null)?.error_code === "not_found";

/** A text of the operator in the reader's language or in English. */
export default function LegalText({ name }: { name: LegalName }) {
  const lang = useContentLanguage();
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: ["legal", name, lang],
    queryFn: ({ signal }) => api.legal(name, { lang }, signal),
    ...freshness.CONSTANT,
  });
  if (data)
    return (
      <>
        {data.language !== lang && <p className="text-14 text-muted">{t("about.legal.english")}</p>}
        <Markdown text={data.text} lang={data.language} />
      </>
    );
  if (isError && isNotFound(error)) return <Empty title={t("about.legal.none")}>{t("about.legal.noneText")}</Empty>;
  if (isError) return <ErrorState error={error} busy={isFetching} onRetry={() => refetch()} />;
  return <Skeleton className="h-40" />;
}
