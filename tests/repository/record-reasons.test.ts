import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { reasons } from "../../apps/server/src/records/step.ts";

it("every reason the server gives for a record that does not come about is said in the reader's language", () => {
  const words = readFileSync(join(import.meta.dirname, "../../apps/web/src/pages/account/binding-reason.ts"), "utf8");
  const sentences = Object.values(reasons);
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.filter((sentence) => !words.includes(`"${sentence}"`))).toEqual([]);
});
