import { Tooltip } from "./tooltip.tsx";

/** The dash of an unknown figure: never 0, always with its reason on hover, focus and touch, and for screen readers. */
export function Unknown({ reason }: { reason: string }) {
  return (
    <Tooltip text={reason} as="name">
      <button
        type="button"
        className="-mx-1 min-h-6 min-w-6 cursor-help rounded-6 px-1 text-muted underline decoration-dotted underline-offset-4 hover:text-ink"
      >
        —
      </button>
    </Tooltip>
  );
}
