import type { OperatorStatus } from "@aqua/sdk/api/operator";
import { shown, table } from "./caseTable.ts";
import { operatorApi } from "./operatorApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

/** `aqua status`: prints what runs, and what needs a person. */
export async function printStatus({ json }: { json?: true | undefined }, terminal: Terminal): Promise<void> {
  const status = await operatorApi(terminal).json<OperatorStatus>("status");
  terminal.out(json ? jsonText(status) : statusText(status));
}

function statusText(status: OperatorStatus): string {
  const sections = [instances, works, troubles, chains, jobs, anchoring, keys].map((section) => section(status));
  return sections.filter((text) => text !== "").join("\n");
}

function instances({ instances, time }: OperatorStatus): string {
  const rows = instances.map(({ id, version, host, roles, started_at }) => {
    return [short(id), version, shown(host), roles.join(","), duration(time - started_at)];
  });
  return rows.length === 0 ? "No process runs.\n" : table(["PROCESS", "VERSION", "HOST", "ROLES", "RUNS FOR"], rows);
}

/** Each process is named by the begin of its id. */
function works({ leaders }: OperatorStatus): string {
  const rows = leaders.map(({ work, instance }) => [work, instance === null ? "NOBODY" : short(instance)]);
  return rows.length === 0 ? "" : table(["WORK", "DONE BY"], rows);
}

function troubles({ degraded }: OperatorStatus): string {
  const rows = degraded.map(({ part, reason, note }) => [part, reason, shown(note ?? "")]);
  return rows.length === 0 ? "" : table(["NOT FULLY WORKING", "REASON", ""], rows);
}

function chains({ chains, time }: OperatorStatus): string {
  const rows = chains.map(({ chain_id, state, head, cursor }) => [
    String(chain_id),
    state,
    head === null ? "unknown" : `${head.block}, ${duration(time - head.time)} old`,
    head === null || cursor === null
      ? "unknown"
      : `${head.block - cursor.block} blocks, ${duration(head.time - cursor.time)}`,
  ]);
  return rows.length === 0 ? "" : table(["CHAIN", "STATE", "NEWEST BLOCK", "BEHIND BY"], rows);
}

function jobs({ jobs, troubled_jobs, time }: OperatorStatus): string {
  const counts = jobs.map(({ kind, waiting, failing, abandoned, overdue_seconds }) => {
    return [kind, String(waiting), String(failing), String(abandoned), duration(overdue_seconds * 1_000)];
  });
  const summary = table(["JOBS", "WAITING", "FAILING", "GIVEN UP", "OVERDUE BY"], counts);
  if (troubled_jobs.length === 0) return summary;
  const rows = troubled_jobs.map(({ id, kind, state, tries, at, request_id, reason }) => [
    String(id),
    kind,
    state === "failing"
      ? `try ${tries} failed, again in ${duration(at - time)}`
      : `given up ${duration(time - at)} ago`,
    request_id ?? "none",
    shown(reason),
  ]);
  const total = jobs.reduce((sum, { failing, abandoned }) => sum + failing + abandoned, 0);
  const rest = total > rows.length ? `${rows.length} of ${total}\n` : "";
  return `${summary}\n${table(["JOB", "KIND", "STATE", "REQUEST", "REASON"], rows)}${rest}`;
}

function anchoring({ anchoring }: OperatorStatus): string {
  const rows = anchoring.map(({ chain_id, short_id, age_seconds, readings_unanchored, batches_waiting, stopped }) => [
    short_id,
    String(chain_id),
    duration(age_seconds * 1_000),
    String(readings_unanchored),
    String(batches_waiting),
    stopped === null ? "" : `stopped: ${shown(stopped)}`,
  ]);
  const head = ["PRODUCT", "CHAIN", "LAST BATCH BEFORE", "READINGS IN NO BATCH", "BATCHES WAITING", ""];
  return rows.length === 0 ? "" : table(head, rows);
}

function keys({ keys }: OperatorStatus): string {
  const rows = keys.map(({ chain_id, name, address, transactions_left }) => {
    return [name, String(chain_id), address, transactions_left === null ? "unknown" : String(transactions_left)];
  });
  return rows.length === 0 ? "" : table(["KEY", "CHAIN", "ADDRESS", "TRANSACTIONS LEFT"], rows);
}

const short = (id: string) => id.slice(0, 8);

const units = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
] as const;

/** Milliseconds in the largest unit of which there are two. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  for (const [length, unit] of units) if (seconds >= 2 * length) return `${Math.floor(seconds / length)} ${unit}`;
  return `${seconds} s`;
}
