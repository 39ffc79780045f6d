import type { OperatorDevice } from "@aqua/sdk/api/operator";
import type { Device } from "@aqua/sdk/api/telemetry";
import { table } from "../caseTable.ts";
import type { Context } from "../commandDeclaration.ts";
import { operatorApi } from "../operatorApi.ts";
import { askServer } from "../publicApi.ts";
import { duration } from "../status.ts";
import { jsonText } from "../terminal.ts";
import { lengthText } from "./device.ts";

/** A device in service, with the time for which it has been silent. Null if it never reported. */
interface Health extends Pick<Device, "name" | "short_id" | "status" | "last_seen" | "interval" | "quality"> {
  silent_ms: number | null;
}

/** `aqua device health`: devices in service, the quietest first. Exit code 1 if one of them does not report. */
export async function printHealth({ json }: { json?: true | undefined }, context: Context): Promise<void> {
  const { terminal } = context;
  const enrolled = await operatorApi(terminal).json<OperatorDevice[]>("devices");
  const shortIds = new Set(enrolled.filter(({ retired_at }) => retired_at === null).map(({ short_id }) => short_id));
  const all: Health[] = [];
  for (const shortId of shortIds) {
    const devices = await askServer(terminal.environment, (client) => client.devices(shortId));
    const now = Date.now();
    for (const { name, short_id, status, last_seen, interval, quality } of devices) {
      if (status === "retired") continue;
      const silent_ms = last_seen === null ? null : Math.max(0, now - last_seen);
      all.push({ name, short_id, status, last_seen, silent_ms, interval, quality });
    }
  }
  all.sort((a, b) => quietness(b) - quietness(a) || a.name.localeCompare(b.name));
  context.exitCode = all.every(({ status }) => status === "online") ? 0 : 1;
  terminal.out(json ? jsonText(all) : textOf(all));
}

/** Intervals without a reading. Devices that cannot report or never did come first. */
function quietness({ status, silent_ms, interval }: Health): number {
  if (status === "no_key" || silent_ms === null) return Number.POSITIVE_INFINITY;
  return silent_ms / interval;
}

function textOf(all: readonly Health[]): string {
  if (all.length === 0) return "No devices.\n";
  const rows = all.map(({ name, short_id, status, silent_ms, interval, quality }) => [
    name,
    short_id,
    status === "no_key" ? "no key" : status,
    silent_ms === null ? "never" : `${duration(silent_ms)} ago`,
    lengthText(interval),
    quality.score === null ? "—" : `${(Number(quality.score) * 100).toFixed(1)} %`,
    quality.reasons.map(({ reason, share }) => `${reason} ${(Number(share) * 100).toFixed(1)} %`).join(", "),
  ]);
  const quiet = all.filter(({ status }) => status !== "online").length;
  const head = ["DEVICE", "PRODUCT", "STATUS", "LAST READING", "EVERY", "GOOD IN 24 H", "LOST BY"];
  return `${table(head, rows)}${quiet} of ${all.length} do not report\n`;
}
