import { run } from "../../src/run.ts";

/** Runs a command as a terminal does. Returns its exit code and what it printed. */
export async function runAqua(args: readonly string[], environment: Record<string, string | undefined>) {
  const said = { out: "", error: "" };
  const code = await run(args, {
    environment,
    out: (text) => {
      said.out += text;
    },
    error: (text) => {
      said.error += text;
    },
  });
  return { code, ...said };
}
