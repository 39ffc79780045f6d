import type { Page } from "@playwright/test";
import { stopClock, widths } from "./support/pages";
import { expect, test } from "./support/test";

const launcher = (page: Page) => page.getByRole("button", { name: "AQUA MIND" });
const panel = (page: Page) => page.getByRole("dialog", { name: "AQUA MIND" });
const answers = (page: Page) => panel(page).locator("[data-sender=ai]");

for (const width of widths) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("AQUA MIND floats at the bottom right and opens a panel at the right that answers after 1000 ms", async ({
      page,
    }) => {
      await page.clock.install();
      await page.goto("/product/alps-hydro");
      await expect(page.getByRole("heading", { level: 1, name: "Alpine River Hydropower" })).toBeVisible();
      const button = await launcher(page).boundingBox();
      expect(width - (button?.x ?? 0) - (button?.width ?? 0)).toBeLessThanOrEqual(32);
      expect(800 - (button?.y ?? 0) - (button?.height ?? 0)).toBeLessThanOrEqual(96);

      await launcher(page).click();
      await expect(panel(page)).toBeVisible();
      await page.clock.runFor(1_000);
      await expect
        .poll(async () => {
          const box = await panel(page).boundingBox();
          return box && { right: Math.round(box.x + box.width), top: box.y, height: box.height };
        })
        .toEqual({ right: width, top: 0, height: 800 });
      const input = panel(page).getByRole("textbox", { name: "Your message" });
      const send = panel(page).getByRole("button", { name: "Send" });
      await expect(input).toBeFocused();
      const chips = panel(page).getByRole("group", { name: "Quick prompts" }).getByRole("button");
      await expect(chips).toHaveText([
        "What is Alpine River Hydropower",
        "My Position",
        "Mint my Alpine River Hydropower asset",
      ]);

      // Blank text is refused by the button and by Enter.
      await expect(send).toBeDisabled();
      await input.fill("  \n ");
      await expect(send).toBeDisabled();
      await input.press("Enter");
      await expect(panel(page).locator("[data-sender]")).toHaveCount(0);

      await stopClock(page);
      await input.fill("Good day");
      await input.press("Shift+Enter");
      await expect(input).toHaveValue("Good day\n");
      await expect(panel(page).locator("[data-sender]")).toHaveCount(0);
      await input.press("Enter");
      await expect(input).toHaveValue("");
      await expect(panel(page).locator("[data-sender=user]")).toContainText("Good day");
      await page.clock.runFor(999);
      await expect(panel(page).getByText("AQUA MIND is typing…")).toBeVisible();
      await expect(answers(page)).toHaveCount(0);
      await page.clock.runFor(1);
      await expect(answers(page)).toContainText("This is a demo version and cannot provide real help.");

      for (const [chip, answer] of [
        ["What is Alpine River Hydropower", /Alpine River Hydropower is a deposit product/],
        ["My Position", /Sample figures, the same for everyone\./],
        ["Mint my Alpine River Hydropower asset", /connect a wallet first/],
      ] as const) {
        const before = await answers(page).count();
        await chips.filter({ hasText: chip }).click();
        await page.clock.runFor(999);
        await expect(answers(page)).toHaveCount(before);
        await page.clock.runFor(1);
        await expect(answers(page)).toHaveCount(before + 1);
        await expect(answers(page).last()).toContainText(answer);
      }
      await expect(answers(page).last()).toBeInViewport();

      await page.keyboard.press("Escape");
      await expect(panel(page)).toHaveCount(0);
      await expect(launcher(page)).toBeFocused();
      await launcher(page).press("Enter");
      await expect(answers(page)).toHaveCount(4);
      await page.getByTestId("chat-overlay").click({ position: { x: 8, y: 400 } });
      await expect(panel(page)).toHaveCount(0);
      await expect(launcher(page)).toBeFocused();
    });
  });
}

test("the launcher's pulse turns on and off every 2000 ms", async ({ page }) => {
  await page.clock.install();
  await page.goto("/about");
  await expect(launcher(page)).toBeVisible();
  await stopClock(page);
  const pulse = () => launcher(page).getAttribute("data-pulse");
  const start = await pulse();
  // To the next turn, in small steps; from there on every turn is known to the millisecond.
  for (let waited = 0; waited < 2_100 && (await pulse()) === start; waited += 10) await page.clock.runFor(10);
  let last = await pulse();
  expect(last).not.toBe(start);
  for (let turn = 0; turn < 4; turn++) {
    await page.clock.runFor(1_980);
    expect(await pulse()).toBe(last);
    await page.clock.runFor(20);
    await expect(launcher(page)).toHaveAttribute("data-pulse", last === "true" ? "false" : "true");
    last = await pulse();
  }
});

test("nothing moves for who wants no motion, the launcher's pulse neither", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto("/");
  await expect(launcher(page)).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  for (let turn = 0; turn < 3; turn++) {
    await page.clock.runFor(2_000);
    await expect(launcher(page)).toHaveAttribute("data-pulse", "false");
  }
  await launcher(page).click();
  await panel(page).getByRole("button", { name: "My Position" }).click();
  await expect(panel(page).getByText("AQUA MIND is typing…")).toBeVisible();
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((animation) => {
        const { duration = 0, iterations = 1 } = animation.effect?.getTiming() ?? {};
        return animation.playState === "running" && Number(duration) * (iterations ?? 1) > 20;
      })
      .map((animation) => (animation as CSSAnimation).animationName ?? (animation as CSSTransition).transitionProperty),
  );
  expect(moving).toEqual([]);
});

test("the Enter of an input method that is composing sends nothing", async ({ page }) => {
  await page.goto("/about");
  await launcher(page).click();
  const input = panel(page).getByRole("textbox");
  await input.focus();
  const session = await page.context().newCDPSession(page);
  await session.send("Input.imeSetComposition", { text: "ni", selectionStart: 2, selectionEnd: 2 });
  await input.dispatchEvent("keydown", { key: "Enter", isComposing: true, bubbles: true });
  await expect(panel(page).locator("[data-sender]")).toHaveCount(0);
  await session.send("Input.insertText", { text: "你好" });
  await expect(input).toHaveValue("你好");
  await input.press("Enter");
  await expect(panel(page).locator("[data-sender=user]")).toContainText("你好");
});
