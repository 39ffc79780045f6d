import { Skeleton } from "../../ui/skeleton.tsx";

/** As high as the figures and the chart, so that nothing below shifts when they load. */
export function SummarySkeleton() {
  return (
    <>
      <Skeleton className="h-[716px] rounded-12 sm:h-[420px] md:h-[330px]" />
      <Skeleton className="h-[484px] rounded-12 md:h-[444px]" />
    </>
  );
}

export function PortfolioSkeleton() {
  return (
    <>
      <SummarySkeleton />
      <Skeleton className="h-48 rounded-12" />
    </>
  );
}
