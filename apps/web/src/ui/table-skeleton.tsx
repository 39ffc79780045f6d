import { Skeleton } from "./skeleton.tsx";

/** A skeleton with the height of a table with `rows` rows on a wide screen. */
export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <div className="flex flex-col gap-3 p-5" aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: nothing else distinguishes one grey bar from another
        <Skeleton key={row} className="h-8" />
      ))}
    </div>
  );
}
