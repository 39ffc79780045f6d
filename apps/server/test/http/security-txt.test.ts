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

it("security.txt names the operator's contacts and an expiry in the future and within a year", async () => {
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

it("security.txt is 404 with the reason if the operator has named no contact, since the file requires one", async () => {
  const response = await open("");
  expect(response.statusCode).toBe(404);
  expect(response.json()).toMatchObject({
    error_code: "not_found",
    message: expect.stringContaining("SECURITY_CONTACT"),
  });
});

it.each(["security@aqua.example", "http://aqua.example", "mailto:a@b.example\nExpires: never", "mailto:a@b.example,"])(
  "the server does not start with %j as a contact",
  (contact) => {
    expect(() => readConfig({ SECURITY_CONTACT: contact })).toThrow(/^SECURITY_CONTACT must be /);
  },
);
