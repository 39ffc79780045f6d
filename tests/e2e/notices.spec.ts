import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { Announcements } from "@aqua/sdk/api/notices";
import { demoPerson } from "../../devnet/src/demoAccount.ts";
import { announcedFee } from "../../devnet/src/products.ts";
import { expectSound, logInAs } from "./support/account";
import { api, demo } from "./support/app";
import { expectLoaded } from "./support/pages";
import { expect, test } from "./support/test";

const mailsOfDemo = () => api<OutboxMail[]>(`dev/outbox?to=${encodeURIComponent(demoPerson.email)}`);
const dated = (time: number) => new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(time);

test("the seeded fee rise is in its holder's mail, once, with the date it can happen and the reader's own", async () => {
  const ofFee = async () => (await mailsOfDemo()).filter(({ subject }) => subject.includes("the fee on gains changes"));
  await expect.poll(async () => (await ofFee()).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await ofFee();
  const path = `product/${announcedFee.shortId}/announcements?wallets=${demo.address}`;
  const { changes, exit, exit_unknown } = await api<Announcements>(path);
  expect(changes).toMatchObject([{ kind: "fee", present: { fee: "0.100000000000000000" } }]);
  expect({ known: exit !== null, exit_unknown }).toEqual({ known: true, exit_unknown: null });
  const possible = dated(changes[0]?.possible_from ?? 0);
  expect(mail?.subject).toContain("12%");
  // The exit is that of the block the mail names; a later block's may be another day.
  expect(mail?.text).toMatch(
    new RegExp(`You could withdraw everything (by \\w+ \\d+, \\d{4}|at once); this can happen from ${possible}`),
  );
  expect(mail?.text).toMatch(/Figures of block [\d,]+ on Aqua Local/);
  expect(mail?.text).toContain("cannot be switched off");
});

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("e-mails are switched off and their language chosen on the account, and stay so after a reload", async ({
      page,
    }) => {
      await logInAs(page);
      await page.goto("/account");
      const emails = page.getByRole("region", { name: "E-mails you receive" });
      const maturing = emails.getByRole("switch", { name: "Maturing deposits" });
      await expect(maturing).toBeChecked();
      await maturing.press("Space");
      await expect(maturing).not.toBeChecked();
      await expect(maturing).toBeEnabled();
      await emails.getByLabel("Language of e-mails").selectOption("Français");
      await expect(emails.getByLabel("Language of e-mails")).toBeEnabled();
      await page.reload();
      await expect(maturing).not.toBeChecked();
      await expect(emails.getByLabel("Language of e-mails")).toHaveValue("fr-FR");
      await expect(emails.getByRole("switch", { name: "Withdrawals to collect" })).toBeChecked();
      await expectLoaded(page);
      await expectSound(page, "the e-mails of an account");
      for (const row of await emails.getByRole("switch").all()) {
        const label = row.locator("xpath=ancestor::label");
        expect((await label.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
    });
  });
}

test("a link that is not valid says so and leads to the account", async ({ page, clean }) => {
  clean.allow(/404 \(Not Found\).*account\/unsubscribe/);
  await page.goto("/unsubscribe?token=garbage");
  await expect(page.getByText("This link is not valid")).toBeVisible();
  await expectSound(page, "an invalid link");
  await page.getByRole("link", { name: "Open my account" }).click();
  await expect(page).toHaveURL(/\/account#emails$/);
});
