import { runCommand } from "../devnet/src/run.ts";
import { start } from "../devnet/src/start.ts";

await runCommand(() => start(process.env));
