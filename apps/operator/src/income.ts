import type { IncomeNext } from "@aqua/sdk/api/telemetry";
import { askServer } from "./publicApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

/** `aqua income`: prints the income that can be reported for a product now. */
export async function printIncome(
  shortId: string,
  { json }: { json?: true | undefined },
  { environment, out }: Terminal,
): Promise<void> {
  const next = await readNextIncome(shortId, environment);
  out(json ? jsonText(next) : incomeText(next));
}

/** Reads the income that can be reported for a product now. @throws CommandError */
export const readNextIncome = (shortId: string, environment: Terminal["environment"]): Promise<IncomeNext> =>
  askServer(environment, (client) => client.incomeNext(shortId));

/** Why there is nothing to report, by the verdict of the server. */
export const whyNothing = {
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
  return verdict === "ready" ? report : `${report}\nNothing to report: ${whyNothing[verdict]}\n`;
}

const second = (time: number) => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
/** Removes trailing zeros after the decimal point. */
const shortened = (figure: string) => (figure.includes(".") ? figure.replace(/\.?0+$/, "") : figure);
