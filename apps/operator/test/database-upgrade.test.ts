import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runAqua } from "./support/aqua.ts";

it("aqua upgrade refuses a folder that holds no build, before it connects", async () => {
  const place = await mkdtemp(join(tmpdir(), "aqua-no-build-"));
  const settings = { DATABASE_URL: "postgres://127.0.0.1:9/none" };
  expect(await runAqua(["upgrade", "--from", place, "--backup", place], settings)).toMatchObject({
    code: 1,
    error: `aqua: --from names no build: ${join(place, "server.js")} is missing\n`,
  });
  await rm(place, { recursive: true });
});
