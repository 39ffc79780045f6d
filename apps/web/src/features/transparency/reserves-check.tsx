import type { Reserves } from "@aqua/sdk/api/transparency";
import { useQuery } from "@tanstack/react-query";
import { formatCount } from "../../i18n/format.ts";
import { t } from "../../i18n/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ComparedTable, ReadBy } from "./comparison-table.tsx";

interface CheckProps {
  reserves: Reserves;
  /** Starts a check of the newest block instead. */
  onAgain: () => void;
}

/** Shows the figures that this browser read from the chain beside the page's figures. */
export default function Check({ reserves, onAgain }: CheckProps) {
  const check = useQuery({
    queryKey: ["transparency", "check", reserves.short_id, reserves.as_of.block],
    queryFn: async () => {
      const { checkReserves, readAgainIfDifferent } = await import("./reserves-verification.ts");
      return readAgainIfDifferent(() => checkReserves(reserves));
    },
    // Figures of a past block never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { symbol, decimals } = reserves;
  if (check.data === undefined)
    return check.isError ? (
      <ErrorState
        title={t("transparency.check.failed")}
        error={check.error}
        busy={check.isFetching}
        onRetry={() => check.refetch()}
      />
    ) : (
      <div aria-busy="true">
        <Skeleton className="h-40" />
      </div>
    );
  const { figures, age, source } = check.data;
  const compared = figures.filter(({ standing }) => standing !== "open").length;
  const wrong = figures.filter(({ standing }) => standing === "different").length;
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-14">
        {wrong === 0
          ? t("transparency.check.allRight", { count: compared, block: formatCount(reserves.as_of.block) })
          : t("transparency.check.wrong", { count: wrong, block: formatCount(reserves.as_of.block) })}
      </p>
      <ComparedTable
        caption={t("transparency.check")}
        figures={figures}
        title={(figure) => t(`transparency.check.${figure}`)}
        symbol={symbol}
        decimals={decimals}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="secondary" size="small" onClick={onAgain}>
          {t("transparency.check.again")}
        </Button>
        <ReadBy source={source} age={age} />
      </div>
    </div>
  );
}
