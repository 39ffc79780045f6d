/** `npm run bench -- <name>`: one figure of docs/benchmarks.md. */
import { existsSync } from "node:fs";
import { join } from "node:path";

const [name = ""] = process.argv.slice(2);
const file = join(import.meta.dirname, "../bench", `${name}.ts`);
if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
  console.error("Which one? npm run bench -- start");
  process.exit(2);
}
await import(file);
