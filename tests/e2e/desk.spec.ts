import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Locator, Page } from "@playwright/test";
import { roleKey } from "../../devnet/src/accounts.ts";
import { expectSound } from "./support/account";
import { addAuthenticator } from "./support/authenticator";
import { overflow } from "./support/pages";
import { origin, world } from "./support/ports";
import { expect, test } from "./support/test";

const root = join(import.meta.dirname, "../..");

/** Names an operator by the command, and returns the token. */
async function addOperator(): Promise<string> {
  const file = join(process.env.AQUA_E2E_DATA ?? "", `world${world}`, "telemetry/operator.json");
  const { token } = JSON.parse(await readFile(file, "utf8"));
  const words = ["operator", "add", `desk-${randomBytes(4).toString("hex")}`, "--scopes", "identity,operations,read"];
  const { stdout } = await promisify(execFile)(process.execPath, ["apps/operator/bin/aqua.mjs", ...words, "--json"], {
    cwd: root,
    env: { ...process.env, AQUA_URL: origin, OPERATOR_TOKEN: token, OPERATOR_KEY: roleKey("operator") },
  });
  return JSON.parse(stdout).token;
}

/** Presses Tab until the element is focused, as a person without a mouse does. */
async function tabTo(page: Page, target: ReturnType<Page["getByRole"]>) {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab does not reach it");
}

/** A picture of one colour. */
function plainPicture(page: Page): Promise<Buffer> {
  return page.screenshot({
    clip: { x: 0, y: 0, width: 400, height: 300 },
    style: "* { visibility: hidden !important }",
  });
}

/** How many pixels of a shown picture differ from its first one. */
function differentPixels(picture: Locator): Promise<number> {
  return picture.evaluate(async (image) => {
    await (image as HTMLImageElement).decode();
    const { naturalWidth: width, naturalHeight: height } = image as HTMLImageElement;
    const pen = new OffscreenCanvas(width, height).getContext("2d") as OffscreenCanvasRenderingContext2D;
    pen.drawImage(image as HTMLImageElement, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer);
    return pixels.filter((pixel) => pixel !== pixels[0]).length;
  });
}

const languages = {
  "fr-FR": "Bureau des exploitants",
  "ko-KR": "운영자 데스크",
  "zh-CN": "运营工作台",
  "zh-TW": "營運工作台",
};

test("an operator adds a passkey, logs in, opens a case and logs out by keyboard alone, in five languages", async ({
  page,
  clean,
}) => {
  clean.allow(/status of 401/);
  const token = await addOperator();
  await addAuthenticator(await page.context().newCDPSession(page));
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/operator");
  const first = page.getByText("First time here?");
  await expect(first).toBeVisible();
  await expectSound(page, "the log-in of the desk");
  await tabTo(page, first);
  await page.keyboard.press("Enter");
  const field = page.getByLabel("Your operator’s token");
  await tabTo(page, field);
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Passkey added")).toBeVisible();
  await expect(field).toHaveValue("");
  const use = page.getByRole("button", { name: "Use a passkey" });
  await page.keyboard.press("Shift+Tab");
  await use.focus();
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "What needs a person" })).toBeVisible();
  const parts = [
    "Identity cases",
    "Devices",
    "Income reports",
    "Pending losses",
    "Queue and cash",
    "Scheduled acts",
    "Jobs and e-mails",
  ];
  for (const name of parts) await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  await expect(page.getByText(/aqua money report sahel-solar --chain \d+ --dry-run/)).toBeVisible();
  await expectSound(page, "the desk at 360 px");
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectSound(page, "the desk at 1440 px");
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(stored).not.toContain("desk_");

  for (const [language, title] of Object.entries(languages)) {
    await page.evaluate((tag) => localStorage.setItem("app-language", tag), language);
    await page.reload();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await overflow(page), language).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
  await page.evaluate(() => localStorage.setItem("app-language", "en-US"));
  await page.reload();

  const status = page.getByRole("region", { name: "Identity cases" }).getByLabel("Status");
  await status.selectOption({ label: "Verified" });
  const person = page.getByRole("link", { name: "demo@aqua.example" });
  await tabTo(page, person);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Case of demo@aqua.example" })).toBeFocused();
  const show = page.getByRole("button", { name: "Show the document" });
  const plain = await plainPicture(page);
  let submitted: Buffer = Buffer.from("no picture");
  await page.route("**/api/v2/operator/identity/*/document", (route) =>
    route.fulfill({ contentType: "image/png", body: submitted }),
  );
  await tabTo(page, show);
  await page.keyboard.press("Enter");
  await expect(page.getByText("This file cannot be shown here (image/png).")).toBeVisible();
  submitted = plain;
  await page.keyboard.press("Enter");
  const picture = page.getByRole("img", { name: "Submitted document" });
  await expect(picture).toBeVisible();
  expect(await differentPixels(picture)).toBeGreaterThan(100);
  await page.unroute("**/api/v2/operator/identity/*/document");
  await page.getByRole("button", { name: "Hide" }).press("Enter");
  await show.press("Enter");
  await expect(picture).toBeAttached();
  await expect(page.getByText(/aqua identity revoke/)).toBeVisible();
  await expectSound(page, "a case");

  const logOut = page.getByRole("main").getByRole("button", { name: "Log out", exact: true });
  await logOut.focus();
  await page.keyboard.press("Enter");
  await expect(use).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("aqua.desk.token"))).toBeNull();
});
