import { onTestFinished } from "vitest";
import { type ServerProcess, startServer } from "./startServer.ts";

/** The whole server as a process of its own that can be killed; it listens when this resolves. Killed after the test. */
export async function launchServer(environment: Record<string, string>): Promise<ServerProcess> {
  const { child, listening } = startServer(environment);
  onTestFinished(() => void child.kill("SIGKILL"));
  return listening;
}
