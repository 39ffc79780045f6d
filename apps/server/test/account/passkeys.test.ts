import { afterAll, beforeAll, expect, it } from "vitest";
import { passkeysPossible } from "../../src/account/passkeyCeremony.ts";
import { accountSession } from "../../src/account/schema.ts";
import type { Database } from "../../src/db/database.ts";
import { withDatabase } from "../support/databases.ts";
import { softwarePasskey } from "./authenticator.ts";
import { type AccountWorld, openAccounts, PASSWORD } from "./world.ts";

const ORIGIN = "https://aqua.example";

it("passkeys require a domain over https, or localhost", () => {
  const origins = [
    "https://aqua.example",
    "http://localhost:8080",
    "http://aqua.example",
    "https://192.0.2.1",
    "https://[::1]",
  ];
  expect(origins.map(passkeysPossible)).toEqual([true, true, false, false, false]);
});

withDatabase("a passkey", (open) => {
  let db: Database;
  let world: AccountWorld;
  beforeAll(async () => {
    db = await open();
    world = await openAccounts(db, { perAddress: 4_000 });
  });
  afterAll(() => world.close());

  let people = 0;
  const challenge = async () => (await world.post("passkeys/options", {})).json().data.challenge as string;
  const logIn = async (passkey: object) => world.post("passkeys/login", { passkey });
  /** An account with a passkey. */
  async function protectedAccount() {
    const email = `key${++people}@aqua.example`;
    const { token } = await world.register(email);
    const device = softwarePasskey(ORIGIN);
    const options = (await world.post("passkeys/new", {}, token)).json().data;
    expect(options).toMatchObject({ rp: { id: "aqua.example" }, user: { name: email }, attestation: "none" });
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-8, -7, -257]);
    const made = await world.post(
      "passkeys/add",
      { name: "Phone", passkey: device.register(options.challenge) },
      token,
    );
    return { email, token, device, codes: made.json().data.codes as string[] };
  }

  it("is stored under its name, comes with recovery codes, and logs in without the password", async () => {
    const { email, token, device, codes } = await protectedAccount();
    expect(codes).toHaveLength(8);
    const response = await logIn(device.use(await challenge()));
    expect(response.json().data).toEqual({ token: expect.stringMatching(/^[\w-]{43}\.[\da-f]{64}$/), email });
    const fresh = response.json().data.token;
    expect((await world.get("security", fresh)).json().data).toMatchObject({
      confirmed_until: expect.any(Number),
      second_factor: true,
      passkeys: [{ id: device.id, name: "Phone", last_use: expect.any(Number) }],
    });
    const kinds = (await world.get("events", token)).json().data.items.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(0, 2)).toEqual(["log_in_passkey", "passkey_added"]);
  });

  it("is rejected with a used or foreign challenge, for another site, without user verification, or with another key", async () => {
    const { device } = await protectedAccount();
    const used = await challenge();
    expect((await logIn(device.use(used))).statusCode).toBe(200);
    const strangers = softwarePasskey(ORIGIN);
    const wrong = [
      device.use(used),
      device.use(Buffer.from("a challenge of the thief's").toString("base64url")),
      device.use(await challenge(), { at: "https://aqua-example.test" }),
      device.use(await challenge(), { verified: false }),
      strangers.use(await challenge()),
      { ...strangers.use(await challenge()), id: device.id, rawId: device.id },
      { id: device.id },
    ];
    for (const answer of wrong) {
      expect((await logIn(answer)).json()).toMatchObject({ error_code: "login_failed" });
    }
  });

  it("is the second factor of its own account only, at log-in and for confirmations", async () => {
    const { email, token, device } = await protectedAccount();
    const other = await protectedAccount();
    const withFactor = async (passkey: object) =>
      world.post("login", { email, password: PASSWORD, factor: { passkey } });
    expect((await world.post("login", { email, password: PASSWORD })).json()).toMatchObject({
      error_code: "second_factor_required",
    });
    expect((await withFactor(other.device.use(await challenge()))).json()).toMatchObject({
      error_code: "login_failed",
    });
    expect((await withFactor(device.use(await challenge()))).statusCode).toBe(200);
    await db.orm.update(accountSession).set({ confirmedTime: 0 });
    const confirm = async (passkey: object) => world.post("confirm", { factor: { passkey } }, token);
    expect((await confirm(other.device.use(await challenge()))).statusCode).toBe(401);
    expect((await world.get("export", token)).statusCode).toBe(403);
    expect((await confirm(device.use(await challenge()))).statusCode).toBe(200);
    expect((await world.get("export", token)).statusCode).toBe(200);
  });

  it("is created only with the challenge of its own session", async () => {
    const { token } = await world.register(`key${++people}@aqua.example`);
    const { token: stranger } = await world.register(`key${++people}@aqua.example`);
    const { challenge: theirs } = (await world.post("passkeys/new", {}, stranger)).json().data;
    const made = { name: "Phone", passkey: softwarePasskey(ORIGIN).register(theirs) };
    expect((await world.post("passkeys/add", made, token)).json()).toMatchObject({ error_code: "signature_invalid" });
  });

  it.each([ORIGIN, "http://localhost:8080"])(
    "is rejected with a challenge for another purpose at %s",
    async (publicUrl) => {
      const here = await openAccounts(db, { perAddress: 4_000, publicUrl });
      const { token } = await here.register(`key${++people}@aqua.example`);
      const device = softwarePasskey(publicUrl);
      const toMake = async () => (await here.post("passkeys/new", {}, token)).json().data.challenge as string;
      const toUse = async () => (await here.post("passkeys/options", {})).json().data.challenge as string;
      const add = (passkey: object) => here.post("passkeys/add", { name: "Phone", passkey }, token);
      const use = (passkey: object) => here.post("passkeys/login", { passkey });
      expect((await add(device.register(await toUse()))).json()).toMatchObject({ error_code: "signature_invalid" });
      expect((await add(device.register(await toMake()))).statusCode).toBe(200);
      expect((await use(device.use(await toMake()))).json()).toMatchObject({ error_code: "login_failed" });
      const confirm = await here.post("confirm", { factor: { passkey: device.use(await toMake()) } }, token);
      expect(confirm.json()).toMatchObject({ error_code: "login_failed" });
      expect((await use(device.use(await toUse()))).statusCode).toBe(200);
      await here.close();
    },
  );
});
