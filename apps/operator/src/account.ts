import { parseArgs } from "node:util";
import type { LoggedOut } from "@aqua/sdk/api/operator";
import { UsageError } from "./api.ts";
import { unknownCommand } from "./nearest.ts";
import { operatorApi } from "./operatorApi.ts";
import type { Terminal } from "./terminal.ts";
import { accountUsage } from "./usage.ts";

const options = { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;

/** `aqua account`: commands by which an operator helps the owner of an account. */
export async function runAccount(args: readonly string[], terminal: Terminal): Promise<void> {
  const { out } = terminal;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [command, email, ...rest] = positionals;
  if (values.help || command === undefined) return out(accountUsage);
  if (command !== "logout") throw new UsageError(unknownCommand(command, ["logout"], "account"));
  if (email === undefined || rest.length > 0) throw new UsageError("logout takes the e-mail of one account");
  const answer = await operatorApi(terminal).json<LoggedOut>("account/logout", { email });
  out(values.json ? `${JSON.stringify(answer, null, 2)}\n` : `${wordsOf(answer)}\n`);
}

function wordsOf({ email, ended }: LoggedOut): string {
  if (ended === 0) return `${email} was not logged in on any device.`;
  return `${email} is logged out on ${ended === 1 ? "1 device" : `all ${ended} devices`}.`;
}
