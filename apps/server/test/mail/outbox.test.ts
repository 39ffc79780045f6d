import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { outboxRoutes } from "../../src/mail/routes.ts";
import { mailOutbox } from "../../src/mail/schema.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";

withDatabase("dev/outbox", (open) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const db = await open();
    const mail = (id: string, recipient: string, createTime: number) => ({
      id,
      recipient,
      subject: `Mail ${id}`,
      text: "text",
      html: "<p>text</p>",
      createTime,
    });
    await db.orm
      .insert(mailOutbox)
      .values([mail("1", "ada@aqua.example", 1), mail("2", "bob@aqua.example", 2), mail("3", "ada@aqua.example", 3)]);
    ({ app } = await testApp({ features: [outboxRoutes({ db })] }));
  });
  afterAll(() => app.close());

  const ids = async (query: string) =>
    (await app.inject(`/api/v2/dev/outbox${query}`)).json().data.map(({ id }: { id: string }) => id);

  it("shows every mail, the newest first", async () => {
    expect(await ids("")).toEqual(["3", "2", "1"]);
  });

  it("shows the mails to one address, in any letter case", async () => {
    expect(await ids("?to=Ada%40aqua.example")).toEqual(["3", "1"]);
    expect(await ids("?to=nobody%40aqua.example")).toEqual([]);
  });
});
