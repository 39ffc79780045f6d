import { test as base, expect } from "@playwright/test";
import { origin } from "./ports";
import { TestWallet } from "./wallet";

const isTakenOver = () => "takenOver" in document.documentElement.dataset;

/**
 * Every browser test fails on anything in the console, on an uncaught error, on a request that leaves this server and on
 * an answer of 500 or more.
 */
export const test = base.extend<{ wallet: TestWallet; clean: { allow: (pattern: RegExp) => void } }>({
  clean: [
    async ({ page, javaScriptEnabled }, use) => {
      // A page is visible before React has hydrated it. server-rendering.spec.ts tests input before that.
      const goto = page.goto.bind(page);
      page.goto = async (...given) => {
        const response = await goto(...given);
        if (javaScriptEnabled) await page.waitForFunction(isTakenOver, null, { timeout: 5_000 }).catch(() => undefined);
        return response;
      };
      const complaints: string[] = [];
      const allowed: RegExp[] = [];
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type()))
          complaints.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) complaints.push(`left the machine: ${url}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 500) complaints.push(`${response.status()}: ${response.url()}`);
      });
      await use({ allow: (pattern) => allowed.push(pattern) });
      expect(complaints.filter((text) => !allowed.some((pattern) => pattern.test(text)))).toEqual([]);
    },
    { auto: true },
  ],
  wallet: async ({ page }, use) => {
    const wallet = new TestWallet(page);
    await wallet.install();
    await use(wallet);
  },
});

/** Whether the tests run as a part of `npm run test:long`. */
export const longCampaign = process.env.AQUA_SOAK === "1";

/** Details of a test that may repeat another one elsewhere. `npm test` leaves repetitions to `npm run test:long`. */
export const repeatedIf = (isRepetition: boolean) => ({ tag: isRepetition ? ["@repeated"] : [] });

/** `test.use` of files that run with animations, as most people see the app. */
export const moving = { contextOptions: { reducedMotion: "no-preference" } } as const;

export { expect };
