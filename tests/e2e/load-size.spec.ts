import { expect, test } from "./support/test";

/** After this nothing of a page is still on its way. */
const settledMs = 3_000;

/** JavaScript as it is sent, in bytes. React's DOM, the router and the query cache are 94 kB of each page. */
for (const { paths, limit } of [
  { paths: ["/", "/products", "/transparency", "/about", "/sign-in"], limit: 175_000 },
  { paths: ["/product/aegean-water", "/liquidity/aegean-water", "/performance/aegean-water"], limit: 200_000 },
])
  for (const path of paths)
    test(`${path} loads at most ${limit / 1000} kB of JavaScript until it is idle`, async ({ page }) => {
      const sizes: Promise<number>[] = [];
      page.on("requestfinished", (request) => {
        if (request.resourceType() === "script") sizes.push(request.sizes().then((size) => size.responseBodySize));
      });
      await page.goto(path);
      await page.waitForTimeout(settledMs);
      const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
      test.info().annotations.push({ type: "bytes", description: String(sum) });
      expect(sum).toBeGreaterThan(94_000);
      expect(sum).toBeLessThanOrEqual(limit);
    });
