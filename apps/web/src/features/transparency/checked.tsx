import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CheckAgain, Checking } from "../readings/checking.tsx";

interface CheckedProps<Outcome> {
  /** Distinguishes one question from another. */
  about: readonly (string | number)[];
  check: (signal: AbortSignal) => Promise<Outcome>;
  /** What is said when it cannot be done, and while it is. */
  failed: string;
  checking: string;
  /** How far it has come, while it is on its way. */
  progress?: ReactNode;
  children: (outcome: Outcome) => ReactNode;
}

/** A check on its way, then what it came to, and the way to make it again. It is made anew each time it is opened. */
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
