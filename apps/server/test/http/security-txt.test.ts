import { afterEach, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { type TestApp, testApp } from "../support/app.ts";

let app: TestApp["app"] | undefined;
afterEach(() => app?.close());

const DAY_MS = 86_400_000;
const open = async (contact: string) => {
  const { securityContacts } = readConfig({ SECURITY_CONTACT: contact });
  ({ app } = await testApp({ config: { publicUrl: "https://aqua.example", securityContacts } }));
  return app.inject("/.well-known/security.txt");
};

it("names the operator's contacts and an end that is ahead and within a year", async () => {
  const { statusCode, headers, body } = await open("mailto:security@aqua.example, https://aqua.example/report");
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const lines = body.split("\n");
  expect(lines).toEqual([
    "Contact: mailto:security@aqua.example",
    "Contact: https://aqua.example/report",
    expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT[\d:.]+Z$/),
    "Canonical: https://aqua.example/.well-known/security.txt",
    "",
  ]);
  const ahead = Date.parse((lines[2] ?? "").slice("Expires: ".length)) - Date.now();
  expect(ahead).toBeGreaterThan(30 * DAY_MS);
  expect(ahead).toBeLessThan(365 * DAY_MS);
});

it("answers 404 with the reason where the operator has named no contact, since the file needs one", async () => {
  const response = await open("");
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({
    error_code: "not_found",
    message: expect.stringContaining("SECURITY_CONTACT"),
  });
});

it.each(["security@aqua.example", "http://aqua.example", "mailto:a@b.example\nExpires: never", "mailto:a@b.example,"])(
  "does not start with %j for a contact",
  (contact) => {
    expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(/^SECURITY_CONTACT must be /);
  },
);
