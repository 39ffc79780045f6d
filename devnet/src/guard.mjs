// Runs between a supervisor and a program that does not notice its parent's death by itself (anvil, a watcher).
// Runs the command given as arguments; stops it when the IPC channel to the supervisor closes, however that happened.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

function stop() {
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), 2_000).unref();
}

child.on("error", (error) => {
  process.stderr.write(`${command}: ${error.message}\n`);
  process.exit(127);
});
child.on("spawn", () => process.send?.({ pid: child.pid }));
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
process.on("disconnect", stop);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
