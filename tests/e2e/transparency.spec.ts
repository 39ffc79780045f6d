import { readFile } from "node:fs/promises";
import type { List } from "@aqua/sdk/api/envelope";
import type { Statement, Transaction } from "@aqua/sdk/api/portfolio";
import type { TransparencySummary } from "@aqua/sdk/api/transparency";
import type { Page } from "@playwright/test";
import { announcedFee } from "../../devnet/src/products.ts";
import { api } from "./support/app";
import { violations } from "./support/axe";
import { chain } from "./support/chain";
import { depositor } from "./support/holders";
import { expectLoaded, overflow } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

interface Batch {
  short_id: string;
  number: number;
  file: boolean;
}
interface Reading {
  seq: number;
  anchored: boolean;
}

/** The newest batch whose file this server stores. */
async function newestBatch(): Promise<Batch> {
  const { items } = await api<{ items: Batch[] }>("transparency/anchors?page_size=20");
  const batch = items.find(({ file }) => file);
  if (!batch) throw new Error("No batch with a file");
  return batch;
}

/** The proof of an anchored reading of the newest batch's product. */
async function anchoredProof() {
  const { short_id } = await newestBatch();
  for (const { name } of await api<{ name: string }[]>(`product/${short_id}/devices`)) {
    const readings = await api<Reading[]>(`transparency/devices/${name}/readings?limit=200`);
    const reading = readings.find(({ anchored }) => anchored);
    if (reading) return api<{ reading: { value: string } }>(`transparency/proof/${name}/${reading.seq}`);
  }
  throw new Error("No anchored reading");
}

async function open(page: Page) {
  await page.goto("/transparency?tab=verify");
  await expect(page.getByRole("heading", { level: 2, name: "Verify yourself" })).toBeVisible();
  // Content that still loads above moves the target of the click.
  await expectLoaded(page);
}

/** The steps that fail, counted from 1. */
async function failing(page: Page): Promise<number[]> {
  const steps = page.getByRole("list", { name: "Checks" }).locator(":scope > li");
  await expect(steps.first()).toBeVisible();
  const texts = await steps.allTextContents();
  return texts.flatMap((text, index) => (text.includes("failed") ? [index + 1] : []));
}

const holds = /^\d+ figures? compared, no difference$/;
const check = (page: Page) => page.getByRole("button", { name: "Check", exact: true }).click();

/** Answers calls of this path with the server's response, changed by `change`. */
async function alter<Data>(page: Page, path: string, change: (data: Data) => void) {
  await page.route(`**/api/v2/${path}`, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: Data };
    change(body.data);
    await route.fulfill({ response, json: body });
  });
}

/** The newest transaction of this kind in any product, with its amount. */
async function newest(kind: string): Promise<Transaction> {
  for (const { short_id } of (await api<List<{ short_id: string }>>("product/list")).items) {
    const { items } = await api<List<Transaction>>(`product/${short_id}/transactions?kind=${kind}`);
    if (items[0]) return items[0];
  }
  throw new Error(`Nothing of kind ${kind} ever happened`);
}

for (const width of [360, 1440]) {
  test.describe(`at ${width} px`, repeatedIf(width !== 360), () => {
    test.use({ viewport: { width, height: 900 } });

    test("the page with devices, feeds, roots and refusals loads, fits and is accessible", async ({ page }) => {
      for (const [tab, ...names] of [
        ["products", "Reserves against liabilities"],
        ["devices", "Devices", "Device data freshness", "Report freshness", "Rejected readings"],
        ["anchors", "Anchored roots"],
        ["verify", "Verify yourself"],
        ["admin", "Roles", "Contracts", "Actions of role holders"],
      ]) {
        await page.goto(`/transparency?tab=${tab}`);
        for (const name of names)
          await expect(page.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
        await expectLoaded(page);
        expect(await overflow(page), `${tab} scrolls sideways`).toBe(0);
        expect(await violations(page, "main"), tab).toEqual([]);
      }
      await page.goto("/transparency?tab=devices");
      await expect(page.getByRole("figure", { name: "Status" })).toContainText("reporting");
    });

    test("the seeded fee rise is among the scheduled calls, with its caller, time and meaning", async ({ page }) => {
      const { scheduled } = await api<TransparencySummary>("transparency/summary");
      const rise = scheduled.find(({ name, short_id }) => name === "setTreasury" && short_id === announcedFee.shortId);
      if (!rise) throw new Error("The seeded fee rise is not scheduled.");
      const at = (time: number) =>
        new Intl.DateTimeFormat("en-US", {
          ...({ year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const),
          ...({ timeZone: "UTC", timeZoneName: "short" } as const),
        }).format(time);
      await page.goto("/transparency?tab=admin");
      const row = page
        .getByRole("table", { name: "Scheduled" })
        .getByRole("row")
        .filter({ hasText: "performance fee" });
      const short = `${rise.caller.slice(0, 6)}…${rise.caller.slice(-4)}`;
      for (const text of [
        /performance fee 12\.00%, paid to 0x[0-9a-fA-F]{3}…[0-9a-fA-F]{4}/,
        "Aegean Desalination",
        new RegExp(`Owner.*${short}`),
        at(rise.possible_from),
        `expires ${at(rise.possible_until)} if not carried out`,
      ])
        await expect(row).toContainText(text);
    });

    test("a reading is picked and verified from its signature to the chain", async ({ page }) => {
      await open(page);
      await page.getByRole("button", { name: "Verify this reading" }).click();
      await expect(page.getByText("All checks passed")).toBeVisible();
      expect(await failing(page)).toEqual([]);
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
    });

    test("a receipt leads from the portfolio to its check, and each figure is as the chain has it", async ({
      page,
    }) => {
      const { wallet, receipt } = await depositor();
      await page.goto(`/portfolios?address=${wallet}&tab=time`);
      const row = page.getByRole("row", { name: new RegExp(`No\\. ${receipt.deposit_id}\\b`) }).first();
      await row.getByRole("link", { name: "Verify on chain" }).click();
      await expect(page.getByLabel("Receipt number")).toHaveValue(String(receipt.deposit_id));
      await expect(page.getByRole("tab", { name: "A receipt" })).toBeInViewport();
      await check(page);
      await expect(page.getByText(holds)).toBeVisible();
      const table = page.getByRole("table", { name: /figure by figure$/ });
      await expect(table.getByText("equal", { exact: true })).toHaveCount(14);
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
      expect(await violations(page, "main")).toEqual([]);
    });

    test("a receipt that the site states differently is caught, figure by figure", async ({ page }) => {
      const { receipt } = await depositor();
      await alter<List<typeof receipt>>(page, "account/hold/**", ({ items }) => {
        for (const item of items)
          if (item.receipt && item.deposit_id === receipt.deposit_id) {
            item.receipt.principal = "1.000000";
            item.maturity = (item.maturity ?? 0) + 86_400_000;
          }
      });
      await page.goto(`/transparency?verify=receipt&product=${receipt.short_id}&receipt=${receipt.deposit_id}#verify`);
      await check(page);
      await expect(page.getByText("3 figures differ from the chain")).toBeVisible();
      for (const name of ["Principal", "Matures", "Due at maturity"])
        await expect(page.getByRole("row", { name: new RegExp(`^${name}`) })).toContainText("different");
    });

    test("a line of a statement is compared with its transaction, and one stated differently is caught", async ({
      page,
    }) => {
      const { hash, amount } = await newest("deposit");
      await open(page);
      await page.getByRole("tab", { name: "A statement line" }).click();
      await page.getByLabel("Transaction hash").fill(`"${hash}",`);
      await check(page);
      await expect(page.getByText(holds)).toBeVisible();
      const rowOf = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
      await expect(rowOf("Amount").getByText("equal", { exact: true })).toBeVisible();
      expect(await overflow(page), "the page scrolls sideways").toBe(0);
      expect(await violations(page, "main")).toEqual([]);
      await alter<Statement>(page, "account/statement/**", ({ products }) => {
        for (const line of products.flatMap(({ lines }) => lines)) line.amount = `1${amount}`;
      });
      await page.getByRole("button", { name: "Check again" }).click();
      await expect(page.getByText("1 figure differs from the chain")).toBeVisible();
      await expect(rowOf("Amount")).toContainText("different");
    });
  });
}

test("an unopened receipt and a deposit without receipts are shown as such, and the typed text stays", async ({
  page,
}) => {
  const { receipt } = await depositor();
  await page.goto(`/transparency?verify=receipt&product=${receipt.short_id}&receipt=987654#verify`);
  await check(page);
  await expect(page.getByText("There is no receipt 987654")).toBeVisible();
  await expect(page.getByLabel("Receipt number")).toHaveValue("987654");
  await page.goto("/transparency?verify=receipt&product=alps-hydro&receipt=1");
  await expect(page.getByText(/is a demand deposit and has no receipts/)).toBeVisible();
});

test("a receipt that was paid is shown as closed", async ({ page }) => {
  const { short_id, deposit_id } = await newest("mature");
  await page.goto(`/transparency?verify=receipt&product=${short_id}&receipt=${deposit_id}#verify`);
  await check(page);
  await expect(page.getByText(`Receipt ${deposit_id} was paid at maturity`)).toBeVisible();
});

test("amounts that the queue redeemed are compared part by part and as a whole", async ({ page }) => {
  const { hash } = await newest("processed");
  await page.goto(`/transparency?verify=line&tx=${hash}#verify`);
  await check(page);
  await expect(page.getByText(holds)).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Queue: total processed/ })).toBeVisible();
});

test("an unknown hash, a hash of another contract and an invalid hash are distinguished", async ({ page }) => {
  await page.goto("/transparency?verify=line");
  const box = page.getByLabel("Transaction hash");
  await box.fill("0x1234");
  await check(page);
  await expect(page.getByText(/Enter 0x and 64 characters/)).toBeVisible();
  await box.fill(`0x${"ab".repeat(32)}`);
  await check(page);
  await expect(page.getByText("Transaction not found")).toBeVisible();
  const { transactions } = await chain.getBlock({ blockNumber: 1n });
  await box.fill(String(transactions[0]));
  await check(page);
  await expect(page.getByText("Transaction of other contracts")).toBeVisible();
});

test("nothing is decided without a connection, and the check continues when it is back", async ({
  page,
  context,
  clean,
}) => {
  clean.allow(/ERR_INTERNET_DISCONNECTED/);
  const { hash } = await newest("deposit");
  await page.goto(`/transparency?verify=line&tx=${hash}#verify`);
  // After one check, everything that the check needs is loaded.
  await check(page);
  await expect(page.getByText(holds)).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText("The chain did not answer")).toBeVisible();
  await expect(page.getByLabel("Transaction hash")).toHaveValue(hash);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(page.getByText(holds)).toBeVisible();
});

test("a pasted proof holds; with another figure it breaks at the signature", async ({ page }) => {
  const proof = await anchoredProof();
  await open(page);
  await page.getByRole("tab", { name: "Paste a proof" }).click();
  const box = page.getByLabel("Reading proof (JSON)");
  const check = page.getByRole("button", { name: "Check", exact: true });
  await box.fill(JSON.stringify(proof));
  await check.click();
  await expect(page.getByText("All checks passed")).toBeVisible();
  await box.fill(JSON.stringify({ ...proof, reading: { ...proof.reading, value: `${proof.reading.value}1` } }));
  await check.click();
  await expect(page.getByText(/Step 3 failed: Signature/)).toBeVisible();
  expect((await failing(page))[0]).toBe(3);
});

test("a batch is downloaded and checked; altered in one digit it breaks at the signatures", async ({ page }) => {
  const { short_id } = await newestBatch();
  await page.goto("/transparency?tab=anchors");
  const anchors = page.getByRole("region", { name: "Anchored roots" });
  await anchors.getByLabel("Product").selectOption(short_id);
  const saved = page.waitForEvent("download");
  await anchors
    .getByRole("button", { name: /^Download file of batch/ })
    .first()
    .click();
  const file = await readFile(await (await saved).path(), "utf8");
  await open(page);
  await page.getByRole("tab", { name: "Choose a file" }).click();
  const choose = (text: string) =>
    page
      .getByLabel(/Proof or batch file/)
      .setInputFiles({ name: "batch.ndjson", mimeType: "application/x-ndjson", buffer: Buffer.from(text) });
  const started = page.waitForEvent("worker");
  await choose(file);
  expect((await started).url()).toContain("/assets/batch-file-worker");
  await expect(page.getByText("All checks passed")).toBeVisible();
  // The worker ends when its check is done.
  expect(page.workers()).toEqual([]);
  await choose(file.replace(/"value":"(-?\d)/, (found, digit) => found.replace(digit, digit === "1" ? "2" : "1")));
  await expect(page.getByText(/Step 3 failed: Signatures/)).toBeVisible();
  expect((await failing(page))[0]).toBe(3);
});

test("a row opens what a product has and owes, and its figures are read from the chain", async ({ page }) => {
  await page.goto("/transparency");
  const button = page.getByRole("button", { name: "Details of Aegean Desalination" });
  await button.click();
  await expect(page.getByRole("figure", { name: "Assets" })).toContainText(
    "With the custodian, as reported by the operator",
  );
  await page.getByRole("button", { name: "Check it yourself" }).click();
  await expect(page.getByText(/^Block [\d,]+: \d+ figures compared, no difference\.$/)).toBeVisible();
  await button.click();
  await expect(page.getByRole("figure", { name: "Assets" })).toHaveCount(0);
});

test("each tab is a link that Back undoes, and an address that names a part opens there", async ({ page }) => {
  await page.goto("/transparency");
  const tabs = page.getByRole("navigation", { name: "Page sections" });
  for (const [name, region] of [
    ["Devices", "Devices"],
    ["Anchors", "Anchored roots"],
    ["Verify", "Verify yourself"],
    ["Admin activity", "Roles"],
  ] as const) {
    await tabs.getByRole("link", { name }).press("Enter");
    await expect(page.getByRole("region", { name: region, exact: true })).toBeVisible();
    await expect(tabs.locator("[aria-current=page]")).toHaveText(name);
  }
  await page.goBack();
  await expect(tabs.locator("[aria-current=page]")).toHaveText("Verify");
  await page.goto("/about");
  await page.goto("/transparency#acts");
  await expect(page.getByRole("heading", { name: "Actions of role holders" })).toBeInViewport();
});
