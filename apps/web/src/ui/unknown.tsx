import { Tooltip } from "./tooltip.tsx";

/** A figure nobody knows: never 0, always with the reason, which screen readers hear in its place. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <Tooltip text={reason} as="name">
      <button
        type="button"
        className="-my-1 inline-grid min-h-8 min-w-8 cursor-help place-items-center rounded-6 text-muted underline decoration-dotted underline-offset-4 hover:text-ink"
      >
        —
      </button>
    </Tooltip>
  );
}
