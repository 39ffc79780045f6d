import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../../src/ui/tokens.css"), "utf8");

/** The colours of one theme: the first block that sets this colour scheme. */
function theme(scheme: "light" | "dark"): Record<string, string> {
  const block = new RegExp(`color-scheme: ${scheme};([^}]*)}`).exec(css)?.[1] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

/** Relative luminance after WCAG 2.2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const texts = ["ink", "muted", "accent", "accent-hover", "positive", "negative", "caution"];

describe.each(["light", "dark"] as const)("colours, %s", (scheme) => {
  const colours = theme(scheme);
  const pairs = [
    ...texts.flatMap((text) => [
      [text, "ground"],
      [text, "surface"],
    ]),
    ["on-accent", "accent"],
    ["on-accent", "accent-hover"],
  ] as [string, string][];

  it.each(pairs)("%s on %s has a contrast of 4.9 : 1 or better", (text, ground) => {
    expect(contrast(colours[text] ?? "", colours[ground] ?? "")).toBeGreaterThanOrEqual(4.9);
  });

  it.each([1, 2, 3, 4, 5, 6])("series %i has a contrast of 3 : 1 or better on both backgrounds", (series) => {
    for (const ground of ["ground", "surface"])
      expect(contrast(colours[`series-${series}`] ?? "", colours[ground] ?? "")).toBeGreaterThanOrEqual(3);
  });
});

describe("colours, forced", () => {
  const forced = /@media \(forced-colors: active\) {\s*:root,([^}]*)}/.exec(css)?.[1] ?? "";

  it.each(["ground", "ink", "muted", "series-1", "series-2", "series-3", "series-4", "series-5", "series-6"])(
    "%s is the reader's own",
    (name) => {
      expect(forced).toMatch(new RegExp(`--${name}: (Canvas|CanvasText);`));
    },
  );
});
