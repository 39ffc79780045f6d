import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../src/", import.meta.url));

/** A value as the examples write it. */
function written(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return `Uint8Array [${[...value].join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${written(field)}`);
  return `{ ${fields.join(", ")} }`;
}

const examples = globSync("**/*.ts", { cwd: folder }).flatMap((file) =>
  [...readFileSync(folder + file, "utf8").matchAll(/\* @example (\S.*) \/\/ (.+)$/gm)].map(
    ([, call = "", result = ""]) => ({ file, call, result }),
  ),
);

describe("the examples in the SDK's comments", () => {
  it("are there", () => expect(examples.length).toBeGreaterThan(25));

  it.each(examples)("$file: $call is $result", async ({ file, call, result }) => {
    const module = (await import(folder + file)) as Record<string, unknown>;
    const evaluate = new Function(...Object.keys(module), `return ${call}`) as (...values: unknown[]) => unknown;
    expect(written(evaluate(...Object.values(module)))).toBe(result);
  });
});
