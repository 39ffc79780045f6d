import type { Page } from "@playwright/test";
import { connect } from "./support/app";
import { expectLoaded, stopClock, widths } from "./support/pages";
import { expect, repeatedIf, test } from "./support/test";

const launcher = (page: Page) => page.getByRole("button", { name: "AQUA MIND" });
const panel = (page: Page) => page.getByRole("dialog", { name: "AQUA MIND" });
const answers = (page: Page) => panel(page).locator("[data-sender=ai]");

for (const width of widths) {
  test.describe(`at ${width} px`, repeatedIf(width === 768), () => {
    test.use({ viewport: { width, height: 800 } });

    test("AQUA MIND floats at the bottom right and opens a panel at the right that answers after 1000 ms", async ({
      page,
    }) => {
      await page.clock.install();
      await page.goto("/product/alps-hydro");
      await expect(page.getByRole("heading", { level: 1, name: "Alpine River Hydropower" })).toBeVisible();
      const button = await launcher(page).boundingBox();
      expect(width - (button?.x ?? 0) - (button?.width ?? 0)).toBeLessThanOrEqual(32);
      // On a phone, the button moves up to a place where it covers nothing.
      if (width >= 768) expect(800 - (button?.y ?? 0) - (button?.height ?? 0)).toBeLessThanOrEqual(96);
      else expect([button?.width, button?.height]).toEqual([44, 44]);

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
        ["My Position", /Sample figures, not your money\./],
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
      await page.getByTestId("backdrop").click({ position: { x: 8, y: 400 } });
      await expect(panel(page)).toHaveCount(0);
      await expect(launcher(page)).toBeFocused();
    });
  });
}

test("the launcher's pulse turns on and off every 2000 ms", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.clock.install();
  await page.goto("/about");
  await expect(launcher(page)).toBeVisible();
  await stopClock(page);
  const pulse = () => launcher(page).getAttribute("data-pulse");
  const start = await pulse();
  // Small steps lead to the next turn. The times of all later turns are known to the millisecond.
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

test("nothing moves for a visitor who prefers reduced motion, including the launcher's pulse", async ({ page }) => {
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

/** Returns the names of the controls and amounts of `scope` that are in sight and partly under AQUA MIND. */
function covered(page: Page, scope: string) {
  return page.evaluate((within) => {
    const mind = [...document.querySelectorAll("button")].find((button) => button.textContent === "AQUA MIND");
    if (!mind) return ["no AQUA MIND"];
    const over = mind.getBoundingClientRect();
    const names: string[] = [];
    for (const control of document.querySelectorAll(`${within} :is(button, input, [role=slider], dt, dd)`)) {
      // Content of closed details has a position but is not visible.
      if (!control.checkVisibility({ contentVisibilityAuto: true })) continue;
      const boxes = [control.getBoundingClientRect(), over];
      // Content that its panel has scrolled out of sight is not visible either.
      for (let around = control.parentElement; around; around = around.parentElement)
        if (getComputedStyle(around).overflowY === "auto") boxes.push(around.getBoundingClientRect());
      const [left, right] = [Math.max(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.right))];
      const [top, bottom] = [Math.max(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.bottom))];
      if (right - left <= 1 || bottom - top <= 1) continue;
      const uppermost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (uppermost && mind.contains(uppermost)) names.push(control.textContent || control.id);
    }
    return names;
  }, scope);
}

/** Figures whose text is under AQUA MIND, and controls of which any part is. */
function overText(page: Page) {
  return page.evaluate(() => {
    const mind = [...document.querySelectorAll("button")].find((button) => button.textContent === "AQUA MIND");
    if (!mind) return ["no AQUA MIND"];
    const over = mind.getBoundingClientRect();
    const range = document.createRange();
    return [...document.querySelectorAll<HTMLElement>(":is(main, footer) :is(button, a[href], input, summary, dd, td)")]
      .filter((element) => {
        range.selectNodeContents(element);
        const boxes = element.matches("dd, td") ? range.getClientRects() : element.getClientRects();
        return [...boxes].some(
          (box) =>
            Math.min(box.right, over.right) - Math.max(box.left, over.left) > 1 &&
            Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top) > 1,
        );
      })
      .map((element) => element.textContent ?? "");
  });
}

for (const path of ["/product/alps-hydro", "/product/amman-mains"]) {
  const details = repeatedIf(path !== "/product/alps-hydro");
  test(`AQUA MIND never covers what is done with ${path} on a large screen`, details, async ({ page, wallet }) => {
    const panel = page.getByTestId("action-panel");
    const staysClear = async (state: string) => {
      await expectLoaded(page);
      await page.locator("main aside > *").evaluate((box) => box.scrollTo(0, box.scrollHeight));
      for (let y = 0; y <= 720; y += 24) {
        await page.evaluate((top) => window.scrollTo(0, top), y);
        const message = `${state}, scrolled by ${y} px`;
        await expect.poll(() => covered(page, "main aside"), { message }).toEqual([]);
      }
      await page.evaluate(() => window.scrollTo(0, 0));
    };
    const sizes = [
      [1440, 900],
      [1280, 720],
      [1024, 768],
    ] as const;
    await page.goto(path);
    await expect(panel.getByLabel("Amount to deposit")).toBeVisible();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await staysClear(`as a visitor, at ${width} × ${height}`);
    }
    await wallet.provide();
    await connect(page, "test.wallet", wallet.address);
    await panel.getByLabel("Amount to deposit").fill("1,000");
    await expect(panel.getByRole("button", { name: "Deposit 1,000" })).toBeEnabled();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await staysClear(`ready to deposit, at ${width} × ${height}`);
      // While the panel is at rest, there is room for both it and the button.
      await expect(launcher(page)).toBeInViewport({ ratio: 1 });
      const [below, above] = [await launcher(page).boundingBox(), await page.locator("main aside > *").boundingBox()];
      expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      expect(width - (below?.x ?? 0) - (below?.width ?? 0)).toBeLessThanOrEqual(32);
    }
  });
}

test("on a phone AQUA MIND rests where it covers no figure and no button", async ({ page }) => {
  for (const [width, height] of [
    [360, 760],
    [390, 844],
  ] as const)
    for (const path of ["/", "/product/sahel-solar", "/transparency", "/liquidity/alps-hydro", "/sign-in"]) {
      await page.setViewportSize({ width, height });
      await page.goto(path);
      await expectLoaded(page);
      for (const y of [0, 130, 260, 390, 520, 900]) {
        await page.evaluate((top) => window.scrollTo(0, top), y);
        await expect.poll(() => overText(page), { message: `${path} at ${width} px, scrolled by ${y} px` }).toEqual([]);
      }
    }
});

test("on a phone AQUA MIND never covers the button to deposit, nor anything in the sheet it opens", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto("/product/alps-hydro");
  await expectLoaded(page);
  const deposit = page.getByRole("button", { name: "Deposit or withdraw" });
  const end = await page.evaluate(() => document.documentElement.scrollHeight);
  for (const y of [0, 24, 300, 1_200, end / 2, end - 900, end - 800, end - 700, end]) {
    await page.evaluate((top) => window.scrollTo(0, top), y);
    if (
      await deposit.evaluate(
        (button) => button.getBoundingClientRect().top < innerHeight && button.getBoundingClientRect().bottom > 64,
      )
    )
      expect(await covered(page, "main"), `scrolled by ${y} px`).not.toContain("Deposit or withdraw");
  }
  await page.evaluate(() => window.scrollTo(0, 0));
  await deposit.click();
  await expect(page.getByTestId("action-panel").getByLabel("Amount to deposit")).toBeVisible();
  expect(await covered(page, "[role=dialog]")).toEqual([]);
});
