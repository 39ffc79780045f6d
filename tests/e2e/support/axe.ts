import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run: (within: string, options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
}

/**
 * Returns axe's violations of WCAG 2.2 A and AA as readable lines. The script is injected by the debugger, past the
 * page's CSP. Animations are finished first, because a half-faded text has no contrast of its own. `within` is a
 * selector.
 */
export async function violations(page: Page, within = "html"): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(source);
  return page.evaluate(async (selector) => {
    for (const animation of document.getAnimations()) {
      const { endTime } = animation.effect?.getComputedTiming() ?? {};
      if (typeof endTime === "number" && Number.isFinite(endTime)) animation.finish();
    }
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(selector, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  }, within);
}
