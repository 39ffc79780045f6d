import { hash } from "@node-rs/argon2";
import { expect, it } from "vitest";
import { createPasswords } from "../../src/account/passwords.ts";

const email = "anna.berg@aqua.example";
const refusal = (message: string) => ({ code: "validation_error", message, details: [{ path: "password", message }] });

it("a password is hashed with argon2id at the agreed cost, each time with another result", async () => {
  const passwords = createPasswords();
  const [one, two] = await Promise.all([passwords.hash("tide and moon"), passwords.hash("tide and moon")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwords.verify(one, "tide and moon")).toBe(true);
  expect(await passwords.verify(one, "tide and moon ")).toBe(false);
});

it("any Unicode text is a password and is the same in each composition of its characters", async () => {
  const passwords = createPasswords();
  const hashed = await passwords.hash("caf\u00e9 \u6c34\u6c34 \ud83c\udf0a\ud83c\udf0a");
  expect(await passwords.verify(hashed, "cafe\u0301 \u6c34\u6c34 \ud83c\udf0a\ud83c\udf0a")).toBe(true);
});

it("a verification without a hash does the same work and returns false", async () => {
  let hashes = 0;
  const passwords = createPasswords(() => {
    hashes += 1;
  });
  expect(await passwords.verify(null, "tide and moon")).toBe(false);
  expect(hashes).toBe(1);
});

it("the length of a password is counted in characters after composition", () => {
  const { check } = createPasswords();
  expect(() => check("\ud83c\udf0a".repeat(7), email)).toThrow("at least 8");
  expect(() => check("\ud83c\udf0a".repeat(8), email)).not.toThrow();
  expect(() => check("e\u0301".repeat(7), email)).toThrow("at least 8");
  expect(() => check("\u6c34".repeat(128), email)).not.toThrow();
  expect(() => check("\u6c34".repeat(129), email)).toThrow("at most 128");
});

it.each(["password1", "PassWord1", "12345678", "iloveyou1"])("the common password %s is rejected", (password) => {
  const message = "This password is one of those tried first; choose another";
  expect(() => createPasswords().check(password, email)).toThrow(expect.objectContaining(refusal(message)));
});

it.each([email, "Anna.Berg@Aqua.Example", "anna.berg"])("%s is rejected as a password for that e-mail", (password) => {
  expect(() => createPasswords().check(password, email)).toThrow(
    expect.objectContaining(refusal("The e-mail is no password")),
  );
});

it("a hash made at another cost is outdated", async () => {
  const passwords = createPasswords();
  expect(passwords.isOutdated(await passwords.hash("tide and moon"))).toBe(false);
  expect(passwords.isOutdated(await hash("tide and moon", { memoryCost: 8_192, timeCost: 2 }))).toBe(true);
});

it("Passwords reject a log-in beyond a hundred waiting ones with a time to retry, and serve the others", async () => {
  const passwords = createPasswords();
  const all = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.verify(null, "tide and moon")));
  const refused = all.filter((one) => one.status === "rejected");
  expect(refused).toHaveLength(8);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: "too_many_requests", retryAfter: 3 });
  expect(await passwords.verify(null, "tide and moon")).toBe(false);
});
