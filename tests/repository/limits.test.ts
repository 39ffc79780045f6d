import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, vi } from "vitest";
import { limits } from "../../scripts/vitest/limits.ts";
import root from "../../vitest.config.ts";

const folder = join(import.meta.dirname, "../..");

it("every project of vitest waits as long as scripts/vitest/limits.ts says", async () => {
  const projects = root.test?.projects as string[];
  expect(projects.length).toBeGreaterThan(5);
  for (const project of projects) {
    const { default: config } = await import(pathToFileURL(join(folder, project, "vitest.config.ts")).href);
    expect(config.test, project).toMatchObject(limits);
  }
});

it("vi.waitFor waits as long as expect.poll", () => {
  expect(vi.waitFor.name).toBe("waitForLong");
});
