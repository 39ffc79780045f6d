/** What a check found out. */
export interface Finding {
  /** What was checked, such as `database` or `chain 1`. */
  check: string;
  result: "ok" | "warning" | "failed";
  says: string;
  /** What to do, unless it is ok. */
  next?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, result: "ok", says });
export const warning = (check: string, says: string, next: string): Finding => ({
  check,
  result: "warning",
  says,
  next,
});
export const failed = (check: string, says: string, next: string): Finding => ({ check, result: "failed", says, next });

/** Seconds by which clocks may differ: an authenticator app's code is valid for 30. */
export const CLOCK_SECONDS = 5;

/** Compares a clock with this machine's. `seconds` is how far it is ahead; `within` what the way there took. */
export function clockFinding(check: string, whose: string, { seconds, within }: { seconds: number; within: number }) {
  const off = Math.abs(seconds);
  if (off <= CLOCK_SECONDS + within) return ok(check, `the clock of ${whose} is this machine's`);
  const says = `the clock of ${whose} is ${off.toFixed(0)} s ${seconds > 0 ? "ahead of" : "behind"} this machine's`;
  return failed(check, says, "synchronise both clocks (NTP)");
}

/** The code and the first line of an error, without stack and causes. */
export function reasonIn(error: unknown): string {
  const { code, message, shortMessage } = error as { code?: unknown; message?: string; shortMessage?: string };
  const [line = ""] = (shortMessage ?? message ?? String(error)).split("\n");
  return typeof code === "string" && !line.includes(code) ? `${code} ${line}`.trim() : line;
}
