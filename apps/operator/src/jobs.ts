import { parseArgs } from "node:util";
import type { RetriedJobs } from "@aqua/sdk/api/operator";
import { UsageError } from "./api.ts";
import { unknownCommand } from "./nearest.ts";
import { operatorApi } from "./operatorApi.ts";
import type { Terminal } from "./terminal.ts";
import { jobsUsage } from "./usage.ts";

const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** `aqua jobs`: tries jobs again that fail or were given up. */
export async function runJobs(args: readonly string[], terminal: Terminal): Promise<void> {
  const { out } = terminal;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, which, ...rest] = positionals;
  if (values.help || command === undefined) return out(jobsUsage);
  if (command !== "retry") throw new UsageError(unknownCommand(command, ["retry"], "jobs"));
  if (rest.length > 0) throw new UsageError("retry takes one job or one kind");
  const body = which === undefined ? {} : /^\d+$/.test(which) ? { id: Number(which) } : { kind: which };
  const answer = await operatorApi(terminal).json<RetriedJobs>("jobs/retry", body);
  out(values.json ? `${JSON.stringify(answer, null, 2)}\n` : `${wordsOf(answer)}\n`);
}

function wordsOf({ retried }: RetriedJobs): string {
  if (retried === 0) return "No such job fails or was given up.";
  return retried === 1 ? "1 job is tried again now." : `${retried} jobs are tried again now.`;
}
