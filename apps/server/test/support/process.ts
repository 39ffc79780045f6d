import { onTestFinished } from "vitest";
import { type ServerProcess, startServer } from "./startServer.ts";

/** Starts the whole server as a separate process and resolves when it listens. It is killed after the test. */
export async function launchServer(environment: Record<string, string>): Promise<ServerProcess> {
  const { child, listening } = startServer(environment);
  onTestFinished(() => void child.kill("SIGKILL"));
  return listening;
}
