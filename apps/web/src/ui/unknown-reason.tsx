import { Tooltip } from "./tooltip.tsx";

/** The dash of an unknown figure, with its reason on hover, focus and touch. */
export function UnknownReason({ reason }: { reason: string }) {
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
