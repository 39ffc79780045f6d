import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectDatabase } from "../../src/db/database.ts";
import { openAccount, testSecret } from "../support/accounts.ts";
import { createServerDatabase } from "../support/databases.ts";
import { submissionForm } from "../support/identity.ts";
import { launchServer } from "../support/process.ts";

it("an account's event in one process reaches its pages on another", async () => {
  const folder = await mkdtemp(join(tmpdir(), "aqua-processes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const DATABASE_URL = await createServerDatabase();
  const secret = { SECRET_KEY: Buffer.from(testSecret).toString("hex") };
  const environment = { DATABASE_URL, DATA_DIR: folder, PRODUCTS_DIR: folder, DEPLOYMENTS_DIR: folder, ...secret };
  const one = await launchServer(environment);
  const other = await launchServer(environment);
  const db = await connectDatabase(DATABASE_URL);
  onTestFinished(db.close);
  const { authorization } = await openAccount(db);

  const cut = new AbortController();
  onTestFinished(() => cut.abort());
  const stream = await fetch(`${other.url}/api/v2/events`, { headers: { authorization }, signal: cut.signal });
  let seen = "";
  const reading = (async () => {
    for await (const chunk of stream.body ?? []) seen += Buffer.from(chunk).toString();
  })();
  // The abort at the end of the test rejects this read. If it fails earlier, the expected event is missing.
  reading.catch(() => {});

  const { payload, type } = await submissionForm();
  const submitted = await fetch(`${one.url}/api/v2/account/identity`, {
    method: "POST",
    headers: { authorization, "content-type": type },
    body: new Uint8Array(payload),
  });
  expect(submitted.status).toBe(200);
  await expect.poll(() => seen).toContain("event: identity");
});
