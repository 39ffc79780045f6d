import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { register } from "../../../devnet/src/person.ts";
import { api } from "./app";
import { violations } from "./axe";
import { overflow } from "./pages";
import { origin } from "./ports";

/** A picture of one pixel as a visitor's document. */
export const picture = {
  name: "passport.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
};

/** An unused e-mail address. */
export const newEmail = () => `ada.${randomBytes(6).toString("hex")}@example.com`;
export const password = "ten slow herons cross the reed bed";

/** Waits for a mail to this address and returns its code. */
export async function codeFor(email: string, mails = 1): Promise<string> {
  let text = "";
  await expect(async () => {
    const outbox = await api<{ text: string }[]>(`dev/outbox?to=${encodeURIComponent(email)}`);
    // Other mails, such as those about log-ins, contain no code.
    const codes = outbox.flatMap((mail) => /^ {4}(\d{6})$/m.exec(mail.text)?.[1] ?? []);
    expect(codes.length).toBeGreaterThanOrEqual(mails);
    text = codes[0] ?? "";
  }).toPass();
  return text;
}

/** Creates an account by the calls of a browser, and logs it in on this page from the next document on. */
export async function logInAs(
  page: Page,
  email = newEmail(),
  country = "SN",
): Promise<{ email: string; token: string }> {
  const session = await register(origin, { email, password, country, name: "Ada Lovelace" });
  await page.addInitScript(({ token, email: of }) => {
    if (sessionStorage.getItem("begun")) return;
    sessionStorage.setItem("begun", "yes");
    localStorage.setItem("token", token);
    localStorage.setItem("email", of);
  }, session);
  return session;
}

/** Checks that the page does not scroll sideways and that axe finds nothing in its own content, light and dark. */
export async function expectSound(page: Page, state: string, within = "main") {
  expect(await overflow(page), `${state} scrolls sideways`).toBe(0);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations(page, within), `${state}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
