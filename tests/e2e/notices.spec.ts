import type { OutboxMail } from "@aqua/sdk/api/auth";
import type { Announcements } from "@aqua/sdk/api/notices";
import { demoPerson } from "../../devnet/src/demoAccount.ts";
import { announcedFee } from "../../devnet/src/products.ts";
import { expectSound, logInAs } from "./support/account";
import { api, connect, demo, demoWallet } from "./support/app";
import { expectLoaded, overflow } from "./support/pages";
import { origin } from "./support/ports";
import { expect, repeatedIf, test } from "./support/test";

const mailsOfDemo = () => api<OutboxMail[]>(`dev/outbox?to=${encodeURIComponent(demoPerson.email)}`);
const ofDemo = `product/${announcedFee.shortId}/announcements?wallets=${demo.address}`;
const inUtc = (time: number, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }).format(time);
const dated = (time: number) => inUtc(time, { dateStyle: "long" });

test("the seeded fee rise is in its holder's mail, once, with the date it can happen and the reader's own", async () => {
  const ofFee = async () =>
    (await mailsOfDemo()).filter(({ subject }) => subject.includes("the performance fee changes"));
  await expect.poll(async () => (await ofFee()).length, { timeout: 60_000 }).toBe(1);
  const [mail] = await ofFee();
  const { changes, exit, exit_unknown } = await api<Announcements>(ofDemo);
  expect(changes).toMatchObject([{ kind: "fee", present: { fee: "0.100000000000000000" } }]);
  expect({ known: exit !== null, exit_unknown }).toEqual({ known: true, exit_unknown: null });
  const possible = dated(changes[0]?.possible_from ?? 0);
  expect(mail?.subject).toContain("12%");
  // The exit is that of the block in the mail. At a later block it may be another day.
  expect(mail?.text).toMatch(
    new RegExp(
      `The change takes effect ${possible}.* at the earliest\\. You could withdraw everything (by \\w+ \\d+, \\d{4}|now)`,
    ),
  );
  expect(mail?.text).toMatch(/Figures of block [\d,]+ on Aqua Local/);
  expect(mail?.text).toContain("cannot be switched off");
});

/**
 * Returns the sentence that a page must show of the change, computed from the API: its earliest date, beside the
 * reader's own likely exit.
 */
async function bothDates(): Promise<string> {
  const { changes, exit, as_of } = await api<Announcements>(ofDemo);
  const from = changes[0]?.possible_from ?? 0;
  const moment = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
  const first = `Takes effect ${inUtc(from, { ...moment, timeZoneName: "short" })} at the earliest.`;
  if (exit === null) throw new Error("The demo wallet has no likely exit.");
  if (exit.p90 === 0) return `${first} You can withdraw everything now.`;
  const [half, most] = [exit.p50, exit.p90].map((wait) => inUtc(as_of.time + wait, { month: "short", day: "numeric" }));
  const by = `${first} In 50% of past cases a full withdrawal was paid by ${half}, in 90% by ${most}.`;
  return as_of.time + exit.p90 > from ? `${by} Your withdrawal may be paid only after the change.` : by;
}

test("the seeded fee rise is on the product's page as it is served, to everybody", async () => {
  const page = await fetch(`${origin}/product/${announcedFee.shortId}`, { headers: { accept: "text/html" } });
  const html = await page.text();
  expect(html).toContain("Announced: performance fee 12.00% instead of 10.00%");
  expect(html).toContain("Takes effect");
  expect(html).not.toContain("a full withdrawal was paid by");
});

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 800 } });

    test("the seeded fee rise is on the product's pages and in the portfolio of its holder, with both dates", async ({
      page,
    }) => {
      const { shortId } = announcedFee;
      await page.goto(`/product/${shortId}`);
      await connect(page, demoWallet, demo.address);
      const title = page.getByRole("main").getByText("Announced: performance fee 12.00% instead of 10.00%");
      for (const path of [
        `/product/${shortId}`,
        `/product/${shortId}?tab=contracts`,
        `/liquidity/${shortId}`,
        "/portfolios",
      ]) {
        await page.goto(path);
        await expect(title).toHaveCount(1);
        await expect(title).toBeVisible();
        // The exit belongs to one block. At a later block it may be another day.
        await expect(async () =>
          expect(title.locator("xpath=../..")).toContainText(await bothDates(), { timeout: 1_000 }),
        ).toPass();
        await expectLoaded(page);
        expect(await overflow(page), `${path} scrolls sideways`).toBe(0);
      }
      await expect(
        title.locator("xpath=../..").getByRole("link", { name: "Aegean Desalination", exact: true }),
      ).toHaveAttribute("href", `/product/${shortId}`);
    });

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
