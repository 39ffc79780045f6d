import { parseArgs } from "node:util";
import { ApiResponseError, createClient } from "@aqua/sdk/api/client";
import type { IncomeNext } from "@aqua/sdk/api/telemetry";
import { CommandError, serverUrl, UsageError } from "./api.ts";
import type { Terminal } from "./terminal.ts";
import { incomeUsage } from "./usage.ts";

const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** `aqua income`: prints the income that can be reported for a product now. */
export async function runIncome(args: readonly string[], { environment, out }: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) return out(incomeUsage);
  const [shortId, ...rest] = positionals;
  if (shortId === undefined || rest.length > 0) throw new UsageError("income needs one product");
  const url = serverUrl(environment);
  const client = createClient({ baseUrl: new URL("/api/v2", url).href });
  const next = await client.incomeNext(shortId).catch((error: unknown) => {
    throw new CommandError(
      error instanceof ApiResponseError ? error.message : `${url} does not answer; set AQUA_URL to where the server is`,
    );
  });
  out(values.json ? `${JSON.stringify(next, null, 2)}\n` : incomeText(next));
}

const why = {
  no_metric: "The product's document does not say how income follows from its devices.",
  no_anchor: "No reading of its devices is anchored yet.",
  no_readings: "No reading after the last report is anchored, or a register's reading is missing.",
  not_kept:
    "A register was silent for longer than readings are stored: its count at the last report is only in its batch's file.",
};

function incomeText(next: IncomeNext): string {
  const { from, to, metric, devices, counted, proceeds, assets, expected, most, anchor, verdict } = next;
  const lines: [string, string][] = [["Reported to", second(from)]];
  if (to !== null) lines.push(["Report to", `${second(to)}, as of ${to / 1_000}`]);
  const unit = metric?.unit ?? "";
  for (const { name, first, last, counted: of } of devices) {
    const figures = first && last ? `  ${first.value} → ${last.value}` : "";
    lines.push([name, `${of === null ? "unknown" : `${shortened(of)} ${unit}`}${figures}`]);
  }
  if (counted !== null) lines.push(["Counted", `${shortened(counted)} ${unit}`]);
  if (proceeds !== null) lines.push(["Proceeds", proceeds]);
  if (assets !== null) lines.push(["Assets", assets]);
  if (expected !== null) lines.push(["Gain", expected]);
  if (most !== null) lines.push(["At most", `${most}, by the contract's current limit`]);
  if (anchor !== null) lines.push(["Evidence", `${anchor.head}, after batch ${anchor.number}`]);
  const width = Math.max(...lines.map(([name]) => name.length)) + 2;
  const report = lines.map(([name, text]) => `${name.padEnd(width)}${text}\n`).join("");
  return verdict === "ready" ? report : `${report}\nNothing to report: ${why[verdict]}\n`;
}

const second = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
/** Removes trailing zeros after the decimal point. */
const shortened = (figure: string) => (figure.includes(".") ? figure.replace(/\.?0+$/, "") : figure);
