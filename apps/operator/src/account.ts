import type { LoggedOut } from "@aqua/sdk/api/operator";
import { operatorApi } from "./operatorApi.ts";
import { jsonText, type Terminal } from "./terminal.ts";

/** `aqua account logout`: ends every log-in of an account. */
export async function logOut(email: string, { json }: { json?: true | undefined }, terminal: Terminal): Promise<void> {
  const answer = await operatorApi(terminal).json<LoggedOut>("account/logout", { email });
  terminal.out(json ? jsonText(answer) : `${wordsOf(answer)}\n`);
}

/** `aqua account accept`: states the account's rows in the public log as they are, and ends its log-ins. */
export async function acceptAccount(
  email: string,
  { json }: { json?: true | undefined },
  terminal: Terminal,
): Promise<void> {
  const answer = await operatorApi(terminal).json<LoggedOut>("account/accept", { email });
  terminal.out(
    json ? jsonText(answer) : `The public log states the rows of this account as they are.\n${wordsOf(answer)}\n`,
  );
}

function wordsOf({ email, ended }: LoggedOut): string {
  if (ended === 0) return `${email} was not logged in on any device.`;
  return `${email} is logged out on ${ended === 1 ? "1 device" : `all ${ended} devices`}.`;
}
