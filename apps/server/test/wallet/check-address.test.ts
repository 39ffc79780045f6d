import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { account } from "../../src/account/schema.ts";
import { accountWallet } from "../../src/records/schema.ts";
import { testApp } from "../support/app.ts";
import { withDatabase } from "../support/databases.ts";
import { walletFeature } from "../support/wallets/feature.ts";

const linked = "0x8C3229EC621644789d7F61FAa82c6d0E5F97d43D";

withDatabase("checkAddress", (open) => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const db = await open();
    const address = linked.toLowerCase() as `0x${string}`;
    await db.orm.insert(account).values({
      id: "a",
      email: "a@aqua.example",
      passwordHash: "none",
      country: "FR",
      language: "en-US",
      subject: `0x${"a1".repeat(16)}`,
      createTime: 1,
    });
    const signed = { message: "", signature: "0x", chainId: 31337 } as const;
    await db.orm.insert(accountWallet).values({ address, accountId: "a", createTime: 1, current: true, ...signed });
    ({ app } = await testApp({ features: [walletFeature(db)] }));
  });
  afterAll(() => app.close());

  const check = (address: string) => app.inject(`/api/v2/account/checkAddress/${address}`);

  it("is true for a wallet that an account signs in with, in any letter case", async () => {
    for (const address of [linked, linked.toLowerCase(), `0x${linked.slice(2).toUpperCase()}`]) {
      expect((await check(address)).json()).toEqual({ data: true });
    }
  });

  it("is false for any other wallet", async () => {
    expect((await check(`0x${"11".repeat(20)}`)).json()).toEqual({ data: false });
  });

  it("rejects an invalid address", async () => {
    expect((await check("0x12")).json()).toMatchObject({ error_code: "validation_error", message: "Invalid address" });
  });
});
