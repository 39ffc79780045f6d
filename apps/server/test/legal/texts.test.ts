import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createLegalFeature } from "../../src/legal/feature.ts";
import { LARGEST } from "../../src/legal/texts.ts";
import { testApp } from "../support/app.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aqua-legal-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});
const put = (file: string, text: string | Uint8Array) => writeFile(join(folder, file), text);

async function get(path: string, legalDir: string | null = folder) {
  const { app, logged } = await testApp({ features: createLegalFeature({ legalDir }).routes ?? [] });
  onTestFinished(() => app.close());
  const response = await app.inject(`/api/v2/legal/${path}`);
  return { status: response.statusCode, body: response.json(), logged };
}

describe("the operator's texts", () => {
  it("are returned in the requested language, or else in English", async () => {
    await put("terms.en-US.md", "Terms");
    await put("terms.fr-FR.md", "Conditions");
    expect((await get("terms?lang=fr-FR")).body).toEqual({
      data: { name: "terms", language: "fr-FR", text: "Conditions" },
    });
    const english = { data: { name: "terms", language: "en-US", text: "Terms" } };
    expect((await get("terms?lang=ko-KR")).body).toEqual(english);
    expect((await get("terms")).body).toEqual(english);
  });

  it("are read again once their file has changed", async () => {
    const { app } = await testApp({ features: createLegalFeature({ legalDir: folder }).routes ?? [] });
    onTestFinished(() => app.close());
    const text = async () => (await app.inject("/api/v2/legal/imprint")).json().data?.text;
    expect(await text()).toBeUndefined();
    await put("imprint.en-US.md", "One");
    expect(await text()).toBe("One");
    await put("imprint.en-US.md", "Two");
    expect(await text()).toBe("Two");
  });

  it.each(["no file", "no folder", "no setting", "an empty file"])("answer not_found with %s", async (which) => {
    if (which === "an empty file") await put("privacy.en-US.md", " \n");
    const dir = which === "no folder" ? join(folder, "none") : which === "no setting" ? null : folder;
    const { status, body } = await get("privacy", dir);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error_code: "not_found", message: expect.stringContaining("has not published") });
  });

  it.each(["secret", "..%2Fsecret", "terms.en-US.md", "terms?lang=..%2F..%2Fsecret"])(
    "are named by a list, not by a path: %s",
    async (path) => {
      await put("secret.en-US.md", "secret");
      const { status, body } = await get(path);
      expect([status, body.error_code]).toEqual([400, "validation_error"]);
    },
  );

  it("fail, and the log names the file, if one is too large or not UTF-8", async () => {
    await put("terms.en-US.md", "a".repeat(LARGEST));
    expect((await get("terms")).status).toBe(200);
    await truncate(join(folder, "terms.en-US.md"), LARGEST + 1);
    const large = await get("terms");
    expect([large.status, large.body.error_code]).toEqual([500, "internal_error"]);
    expect(large.logged.join()).toContain("terms.en-US.md has");
    await put("contact.en-US.md", new Uint8Array([0xff, 0xfe]));
    const wrong = await get("contact");
    expect(wrong.status).toBe(500);
    expect(wrong.logged.join()).toContain("contact.en-US.md is not UTF-8");
  });
});

describe("the folder of the texts", () => {
  const local = { RPC_URL_31337: "http://127.0.0.1:8545" };

  it("is the demo's only in a demo, because its texts describe play money", () => {
    expect(readConfig(local).legalDir).toBeNull();
    expect(readConfig({ ...local, DEMO_MODE: "1" }).legalDir).toMatch(/devnet.legal$/);
    expect(readConfig({ ...local, DEMO_MODE: "1", LEGAL_DIR: folder }).legalDir).toBe(folder);
  });
});
