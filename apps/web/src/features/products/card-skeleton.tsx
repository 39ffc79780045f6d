import { Skeleton } from "../../ui/skeleton.tsx";

/** As high as a card. */
export function ProductCardSkeleton() {
  return (
    <div className="panel overflow-hidden">
      <Skeleton className="aspect-[16/7] rounded-none" />
      <div className="flex flex-col gap-4 p-5">
        <Skeleton className="h-12 w-3/4" />
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="h-18" />
        <Skeleton className="h-2.5" />
        <Skeleton className="h-26" />
        <Skeleton className="h-10" />
      </div>
    </div>
  );
}
