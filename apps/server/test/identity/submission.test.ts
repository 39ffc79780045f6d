import { eq } from "drizzle-orm";
import Fastify from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../src/db/database.ts";
import { identityRoutes } from "../../src/identity/routes.ts";
import { identityCase, identityDocument } from "../../src/identity/schema.ts";
import { checkDocument } from "../../src/identity/submission.ts";
import { job } from "../../src/jobs/schema.ts";
import { createKeys } from "../../src/keys.ts";
import { openAccount } from "../support/accounts.ts";
import { withDatabase } from "../support/databases.ts";
import { type IdentityReview, identityReview, png, showIdentity, submit } from "../support/identity.ts";

const MEGABYTE = 1024 * 1024;

/** Bytes that record how far they were read. */
class Watched extends Uint8Array<ArrayBuffer> {
  furthest = 0;
  override subarray(begin = 0, end = this.length) {
    this.furthest = Math.max(this.furthest, end);
    return Uint8Array.prototype.slice.call(this, begin, end) as Uint8Array<ArrayBuffer>;
  }
}

describe("the type of a document", () => {
  const chunk = Buffer.from("000000007445587400000000", "hex");
  const zip = Buffer.from("504b03041400080008000000000000000000000000000000000001000000", "hex");

  const documents: [string, Uint8Array, string | null][] = [
    [
      "a PNG of 500,000 empty chunks",
      Buffer.concat([png.subarray(0, 33), ...Array<Buffer>(500_000).fill(chunk)]),
      "image/png",
    ],
    ["a JPEG", Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(MEGABYTE)]), "image/jpeg"],
    ["a PDF", Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(MEGABYTE)]), "application/pdf"],
    ["an archive of 200,000 files", Buffer.concat(Array<Buffer>(200_000).fill(zip)), null],
    ["a WebP", Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBPVP8 "), Buffer.alloc(MEGABYTE)]), null],
    ["a PNG without its header", Buffer.concat([png.subarray(0, 8), Buffer.alloc(100)]), null],
  ];

  it.each(documents)("IdentityDocument: %s is recognised by its first 16 bytes", (_what, content, type) => {
    const watched = new Watched(new Uint8Array(content).buffer);
    const checked = checkDocument(watched);
    expect(typeof checked === "string" ? null : checked.type).toBe(type);
    expect(watched.furthest).toBeLessThanOrEqual(16);
  });
});

it("an upload of a document may take 10 minutes on a slow line", async () => {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const timeouts: Record<string, unknown> = {};
  app.addHook("onRoute", ({ method, url, config }) => {
    timeouts[`${method} ${url}`] = config?.bodyTimeout;
  });
  const none = undefined as never;
  await app.register(identityRoutes(none, none, none));
  expect(timeouts).toMatchObject({ "POST /account/identity": 600_000, "GET /account/identity": undefined });
  await app.close();
});

withDatabase("an identity submission", (open) => {
  let db: Database;
  let desk: IdentityReview;
  beforeAll(async () => {
    db = await open();
    desk = await identityReview(db);
  });
  afterAll(() => desk?.stop());

  it("requires a session", async () => {
    expect(await submit(desk.app, undefined)).toMatchObject({ error_code: "token_error" });
    const shown = await desk.app.inject("/api/v2/account/identity");
    expect(shown.json()).toMatchObject({ error_code: "token_error" });
  });

  it("is shown as missing, and then as being checked", async () => {
    const { authorization } = await openAccount(db);
    expect(await showIdentity(desk.app, authorization)).toEqual({
      status: "unverified",
      provider: "manual",
      submitted_at: null,
      decided_at: null,
      valid_until: null,
      reason: null,
      sandbox_names: [],
    });
    const answer = await submit(desk.app, authorization);
    expect(answer.data).toMatchObject({ status: "pending", submitted_at: expect.any(Number), decided_at: null });
    expect(await showIdentity(desk.app, authorization)).toEqual(answer.data);
  });

  it("is encrypted with name, date of birth and document, so that a dump of the tables reveals none of them", async () => {
    const { id, authorization } = await openAccount(db);
    await submit(desk.app, authorization);
    const [row] = await db.orm.select().from(identityCase).where(eq(identityCase.accountId, id));
    const [document] = await db.orm
      .select()
      .from(identityDocument)
      .where(eq(identityDocument.caseId, row?.id ?? ""));
    const dump = Buffer.concat([Buffer.from(row?.person ?? []), Buffer.from(document?.content ?? [])]).toString(
      "latin1",
    );
    for (const text of ["Ada", "1990", "PNG"]) expect(dump).not.toContain(text);
    const keys = createKeys(new Uint8Array(32).fill(7));
    expect(Buffer.from(keys.open("document", document?.content ?? png, row?.id ?? "")).equals(png)).toBe(true);
    expect(() => keys.open("document", document?.content ?? png, "another case")).toThrow();
    const jobs = JSON.stringify(await db.orm.select({ payload: job.payload }).from(job));
    expect(jobs).not.toContain("Ada");
  });

  it("is accepted once at a time", async () => {
    const { authorization } = await openAccount(db);
    const outcomes = await Promise.all([1, 2, 3].map(() => submit(desk.app, authorization)));
    expect(outcomes.filter(({ data }) => data?.status === "pending")).toHaveLength(1);
    expect(outcomes.filter(({ error_code }) => error_code === "conflict")).toHaveLength(2);
  });

  it("is one submission if sent again with its Idempotency-Key, and another document under that key is rejected", async () => {
    const { authorization } = await openAccount(db);
    const key = "one-submission-sent-twice";
    const answers = await Promise.all([1, 2, 3].map(() => submit(desk.app, authorization, { key })));
    expect(answers[0]?.data).toMatchObject({ status: "pending" });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    const other = await submit(desk.app, authorization, { key, document: Buffer.concat([png, png]) });
    expect(other.error_code).toBe("conflict");
  });

  describe("is rejected with a reason for each field", () => {
    const refused = async (change: Parameters<typeof submit>[2]) => {
      const { authorization } = await openAccount(db);
      const { error_code, details } = await submit(desk.app, authorization, change);
      expect(error_code).toBe("validation_error");
      return details as { path: string; message: string }[];
    };

    it("if all fields are empty", async () => {
      const fields = { name: null, birth_date: null, country: null, document_kind: null };
      const details = await refused({ fields, document: null });
      expect(Object.fromEntries(details.map(({ path, message }) => [path, message]))).toEqual({
        name: "Enter the name as the document has it",
        birth_date: "Enter a date of birth",
        country: "Choose a country",
        document_kind: "Choose a kind of document",
        document: "Choose a picture or a PDF of the document",
      });
    });

    it("if the person is not of age, not yet born or too old to be alive", async () => {
      const year = new Date().getUTCFullYear();
      const messages = await Promise.all(
        [`${year - 17}-01-01`, `${year + 1}-01-01`, "1850-01-01", "1990-02-30"].map((birth_date) =>
          refused({ fields: { birth_date } }),
        ),
      );
      expect(messages.map(([first]) => first)).toEqual([
        { path: "birth_date", message: "Only people of 18 years or more can be verified" },
        ...Array.from({ length: 3 }, () => ({ path: "birth_date", message: "Enter a date of birth" })),
      ]);
    });

    it("if the document has another type than its name", async () => {
      for (const document of [Buffer.from("<script>alert(1)</script>"), Buffer.from("GIF89a".padEnd(300, "\0"))]) {
        expect(await refused({ document, fileName: "passport.png" })).toEqual([
          { path: "document", message: "A document is a JPEG, a PNG or a PDF" },
        ]);
      }
    });

    it("if the document is too large", async () => {
      const document = Buffer.concat([png, Buffer.alloc(8 * MEGABYTE)]);
      expect(await refused({ document })).toEqual([{ path: "document", message: "A document has at most 8 MB" }]);
    });
  });

  it("is accepted with a document of exactly the maximum size", async () => {
    const { authorization } = await openAccount(db);
    const document = Buffer.concat([png, Buffer.alloc(8 * MEGABYTE - png.length)]);
    expect((await submit(desk.app, authorization, { document })).data).toMatchObject({ status: "pending" });
  });

  it("is accepted on the person's eighteenth birthday", async () => {
    const { authorization } = await openAccount(db);
    const today = new Date();
    const birth_date = `${today.getUTCFullYear() - 18}${today.toISOString().slice(4, 10)}`;
    expect((await submit(desk.app, authorization, { fields: { birth_date } })).data).toMatchObject({
      status: "pending",
    });
  });

  it("is rejected with a name that reorders the text around it, and accepted with a mark of the name's script", async () => {
    const { authorization } = await openAccount(db);
    const reordering = [..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"];
    for (const character of reordering) {
      expect(await submit(desk.app, authorization, { fields: { name: `Ada ${character}ecalevoL` } })).toMatchObject({
        error_code: "validation_error",
        details: [{ path: "name" }],
      });
    }
    const { data } = await submit(desk.app, authorization, { fields: { name: "\u05d0\u05d3\u05d4\u200f" } });
    expect(data).toMatchObject({ status: "pending" });
  });

  it("is rejected if it is not a form, has several files, or a name with hidden characters", async () => {
    const { authorization } = await openAccount(db);
    const url = "/api/v2/account/identity";
    const json = await desk.app.inject({ method: "POST", url, payload: { name: "Ada" }, headers: { authorization } });
    expect(json.json()).toMatchObject({ error_code: "validation_error" });
    const broken = await desk.app.inject({
      method: "POST",
      url,
      payload: "--x\r\nnonsense",
      headers: { authorization, "content-type": "multipart/form-data; boundary=x" },
    });
    expect(broken.json()).toMatchObject({ error_code: "validation_error" });
    expect(await submit(desk.app, authorization, { fields: { name: "Ada\u0000Lovelace" } })).toMatchObject({
      error_code: "validation_error",
      details: [{ path: "name" }],
    });
  });

  it("is limited per account", async () => {
    const { authorization } = await openAccount(db);
    const outcomes: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      outcomes.push((await submit(desk.app, authorization, { document: null })).error_code);
    }
    expect(outcomes.at(-1)).toBe("too_many_requests");
    expect(outcomes.slice(0, -1).every((code) => code === "validation_error")).toBe(true);
  });
});
