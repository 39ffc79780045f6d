import type { RetriedJobs } from "@aqua/sdk/api/operator";
import { operatorApi, type Reasoned } from "./operatorApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

/** `aqua jobs retry`: tries jobs again that fail or were given up: one by its number, all of a kind, or all. */
export async function retryJobs(
  which: string | undefined,
  { json, reason }: Reasoned & { json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const body = which === undefined ? {} : /^\d+$/.test(which) ? { id: Number(which) } : { kind: which };
  const answer = await operatorApi(terminal, reason).json<RetriedJobs>("jobs/retry", body);
  terminal.out(json ? jsonText(answer) : `${wordsOf(answer)}\n`);
}

function wordsOf({ retried }: RetriedJobs): string {
  if (retried === 0) return "No such job fails or was given up.";
  return retried === 1 ? "1 job is tried again now." : `${retried} jobs are tried again now.`;
}
