import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CheckAgain, Checking } from "../readings/check-state.tsx";

interface CheckedProps<Outcome> {
  /** Identifies the check. */
  about: readonly (string | number)[];
  check: (signal: AbortSignal) => Promise<Outcome>;
  /** Texts for a failed check and a running check. */
  failed: string;
  checking: string;
  /** Progress of the running check. */
  progress?: ReactNode;
  children: (outcome: Outcome) => ReactNode;
}

/** Shows a running check, then its result and a button to repeat it. The check runs again each time it is opened. */
export function Checked<Outcome>({ about, check, failed, checking, progress, children }: CheckedProps<Outcome>) {
  const checked = useQuery({
    queryKey: ["transparency", "checked", ...about],
    queryFn: ({ signal }) => check(signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (checked.data === undefined)
    return (
      <Checking check={checked} failed={failed} checking={checking}>
        {progress}
      </Checking>
    );
  return (
    <div className="flex flex-col gap-4" aria-busy={checked.isFetching || undefined}>
      {children(checked.data)}
      {checked.isFetching && progress}
      <CheckAgain check={checked} />
    </div>
  );
}
