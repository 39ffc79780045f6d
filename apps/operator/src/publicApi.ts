import { ApiResponseError, createClient } from "@aqua/sdk/api/client";
import { CommandError, serverUrl } from "./api.ts";
import type { Terminal } from "./terminal.ts";

/** Asks the public API of the server of AQUA_URL. @throws CommandError with the server's message when it refuses */
export async function askServer<Data>(
  environment: Terminal["environment"],
  ask: (client: ReturnType<typeof createClient>) => Promise<Data>,
): Promise<Data> {
  const url = serverUrl(environment);
  return ask(createClient({ baseUrl: new URL("/api/v2", url).href })).catch((error: unknown) => {
    throw new CommandError(
      error instanceof ApiResponseError ? error.message : `${url} does not answer; set AQUA_URL to where the server is`,
    );
  });
}
