import { skipToken, useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useContentLanguage } from "../content-language.ts";
import { freshness } from "../freshness.ts";
import { alsoQuery, type Scope, scopeKey } from "./scope.ts";

/** Unix milliseconds; the end is exclusive. */
interface Span {
  from: number;
  to: number;
}

/** Reads the movements of a period with the balances before and after it. Does not fetch without a period. */
export function useStatement({ address, also }: Scope, span: Span | null, shortId: string | null) {
  const lang = useContentLanguage();
  return useQuery({
    queryKey: [...scopeKey(address, also, "statement"), span, shortId, lang],
    queryFn: span
      ? ({ signal }) => api.statement(address, statementQuery({ also, span, shortId, lang }), signal)
      : skipToken,
    ...freshness.LAZY,
  });
}

function statementQuery({
  also,
  span,
  shortId,
  lang,
}: {
  also: readonly string[];
  span: Span;
  shortId: string | null;
  lang: ReturnType<typeof useContentLanguage>;
}) {
  return { from: span.from, to: span.to, ...alsoQuery(also), ...(shortId && { short_id: shortId }), lang };
}

/**
 * Fetches a statement as a CSV file. `span` is the span of the statement's response, which ends at the block it was
 * read at, so a later download ends there too.
 */
export function useStatementFile({ address, also }: Scope, span: Span, shortId: string | null) {
  const lang = useContentLanguage();
  return () => api.statementFile(address, statementQuery({ also, span, shortId, lang }));
}
