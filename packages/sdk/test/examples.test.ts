import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("../src/", import.meta.url));

/** A value in the notation of the examples. */
function written(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Uint8Array) return `Uint8Array [${[...value].join(", ")}]`;
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${written(field)}`);
  return `{ ${fields.join(", ")} }`;
}

/** Calls with their expected results, and the `const` examples of a file's types that the calls refer to. */
const examples = globSync("**/*.ts", { cwd: folder }).flatMap((file) => {
  const source = readFileSync(folder + file, "utf8");
  const values = [...source.matchAll(/\* @example (const \w+ = .+?)(?: \*\/)?$/gm)].map(([, value = ""]) => value);
  return [...source.matchAll(/\* @example (?!const )(\S.*) \/\/ (.+?)(?: \*\/)?$/gm)].map(
    ([, call = "", result = ""]) => ({ file, call, result, values: values.join("; ") }),
  );
});

describe("the examples in the SDK's comments", () => {
  it("exist", () => expect(examples.length).toBeGreaterThan(60));

  it.each(examples)("$file: $call is $result", async ({ file, call, result, values }) => {
    const module = (await import(folder + file)) as Record<string, unknown>;
    const evaluate = (text: string): unknown =>
      new Function(...Object.keys(module), `${values}; return ${text}`)(...Object.values(module));
    // A result may refer to one of the values.
    const expected = result.replace(/(?<=^|: )[a-z]\w*(?=$| \})/, (name) =>
      values.includes(name) ? written(evaluate(name)) : name,
    );
    expect(written(evaluate(call))).toBe(expected);
  });
});
