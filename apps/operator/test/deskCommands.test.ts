import { execFileSync } from "node:child_process";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { expect, it } from "vitest";
import { commands } from "../../web/src/features/desk/commands.ts";
import { declareCommands } from "../src/commands.ts";

const product = { short_id: "sahel-solar", chain_id: 31_337 };
const hostile = "it's $(rm -rf /) `id` \n; --days 1";
const lines: [line: string, name: string, words: readonly string[]][] = [
  [commands.addOperator(), "operator add", ["ada"]],
  [commands.approve("c-1", 365), "identity approve", ["c-1"]],
  [commands.reject("c-1", "document_unreadable"), "identity reject", ["c-1"]],
  [commands.reject(hostile, hostile), "identity reject", [hostile]],
  [commands.revoke("c-1", "document_unreadable"), "identity revoke", ["c-1"]],
  [commands.devices(), "device health", []],
  [commands.report(product), "money report", ["sahel-solar"]],
  [commands.process(product), "money process", ["sahel-solar"]],
  [commands.repay(product, "1200.5"), "money repay", ["sahel-solar"]],
  [commands.takeBackLoss(product), "money take-back-loss", ["sahel-solar"]],
  [commands.confirmLoss(product), "money confirm-loss", ["sahel-solar"]],
  [commands.settleLoss(product), "money settle-loss", ["sahel-solar"]],
  [commands.coverage(product), "money coverage", ["sahel-solar"]],
  [commands.productStatus("sahel-solar"), "product status", ["sahel-solar.yaml"]],
  [commands.applyProduct("sahel-solar"), "product apply", ["sahel-solar.yaml"]],
  [commands.audit("https://aqua.example"), "audit", ["https://aqua.example"]],
  [commands.retryJob(7), "jobs retry", ["7"]],
  [commands.status(), "status", []],
];

/** The words that a shell makes of a command line. */
function shellWords(line: string): string[] {
  const script = `aqua() { for word; do printf '%s\\0' "$word"; done; }; ${line}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

/** The subcommand that `aqua` would carry out for these words, and its arguments. Throws if they are not understood. */
async function parsed(words: readonly string[]): Promise<{ name: string; words: readonly string[] }> {
  let found: { name: string; words: readonly string[] } | undefined;
  const ignore = () => {};
  const terminal = { environment: {}, out: ignore, error: ignore };
  const program = declareCommands({ terminal, exitCode: 0 });
  const watch = (command: CommandUnknownOpts, path: string): void => {
    for (const one of command.commands) {
      const name = `${path} ${one.name()}`.trim();
      one.exitOverride().configureOutput({ outputError: ignore });
      if (one.commands.length === 0)
        one.action(() => {
          found = { name, words: one.args };
        });
      watch(one, name);
    }
  };
  watch(program, "");
  await program.parseAsync([...words], { from: "user" });
  if (found === undefined) throw new Error(`no command: ${words.join(" ")}`);
  return found;
}

it.each(lines)("aqua understands the command of the desk: %s", async (line, name, words) => {
  const found = await parsed(shellWords(line));
  expect(found.name).toBe(name);
  expect(found.words).toEqual(words);
});

it("the list above holds each command of the desk", () => {
  const named = new Set(lines.map(([line]) => line.split(" ").slice(1, 3).join(" ")));
  expect(named.size).toBeGreaterThanOrEqual(Object.keys(commands).length);
});

it("aqua does not understand a command that it lacks", async () => {
  await expect(parsed(["money", "report", "x", "--wrong"])).rejects.toThrow();
});
