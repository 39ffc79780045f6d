import { spawn } from "node:child_process";
import { join } from "node:path";
import { runCommand } from "../devnet/src/run.ts";
import { repositoryRoot } from "../devnet/src/settings.ts";

/**
 * `npm run serve`: runs the server alone, as in production, with the chains of RPC_URL_<chainId> and the database of
 * DATABASE_URL. The server checks its settings itself.
 */
await runCommand(
  () =>
    new Promise<number>((resolve, reject) => {
      const main = join(repositoryRoot, "apps", "server", "src", "main.ts");
      const server = spawn(process.execPath, ["--import", "tsx", main], { cwd: repositoryRoot, stdio: "inherit" });
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => server.kill(signal));
      server.on("error", reject);
      server.on("exit", (code) => resolve(code ?? 1));
    }),
);
