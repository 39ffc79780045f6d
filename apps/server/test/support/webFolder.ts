import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** Creates the web app that `testApp` serves, once for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "aqua-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html><title>Aqua</title>");
  await writeFile(join(folder, "favicon.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
  await writeFile(join(folder, "assets", "main-4f3a2b1c.js"), `console.log("${"water ".repeat(500)}");`);
  project.provide("webFolder", folder);
  return () => rm(folder, { recursive: true });
}
