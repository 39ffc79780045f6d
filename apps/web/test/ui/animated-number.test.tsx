import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Amount } from "../../src/ui/amount.tsx";
import "../../src/ui/count-up.ts";
import { stubMedia } from "../media.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** The figure drawn after these milliseconds; null when nothing is animated. */
async function drawn(milliseconds: number) {
  await vi.advanceTimersByTimeAsync(milliseconds);
  return screen.getByTestId("figure").querySelector("[data-count]")?.getAttribute("data-count") ?? null;
}
const figure = (value: string | null, product = "a") => (
  <div data-testid="figure">
    <Amount key={product} value={value} unit="tUSD" live />
  </div>
);
const text = () => screen.getByTestId("figure").textContent;

async function shown(value: string | null) {
  const view = render(figure(value));
  // The animation code loads after the figure.
  await vi.advanceTimersByTimeAsync(100);
  await vi.dynamicImportSettled();
  return (next: string | null, product?: string) => view.rerender(figure(next, product));
}

describe("a live figure", () => {
  it("counts once from the old value to the new, with the new value as its text throughout", async () => {
    const change = await shown("100.000000");
    expect(await drawn(1_000)).toBeNull();
    change("200.000000");
    expect(text()).toBe("200.00tUSD");
    expect(await drawn(0)).toBe("100.00");
    const steps: number[] = [];
    for (let step = 0; step < 7; step += 1) steps.push(Number(await drawn(32)));
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(steps[0]).toBeGreaterThan(100);
    expect(steps.at(-1)).toBeLessThan(200);
    // Ease-out: the first steps are the largest.
    expect(steps[3]).toBeGreaterThan(175);
    expect(await drawn(64)).toBeNull();
    expect(text()).toBe("200.00tUSD");
    expect(await drawn(1_000)).toBeNull();
  });

  it("continues to a newer value from the last one, also downwards and below zero", async () => {
    const change = await shown("10");
    change("20.5");
    await drawn(100);
    change("-3.25");
    expect(await drawn(0)).toBe("20.50");
    expect(Number((await drawn(200))?.replace("−", "-"))).toBeLessThan(0);
    expect(await drawn(64)).toBeNull();
    expect(text()).toBe("−3.25tUSD");
  });

  it("is not animated at first, after an unknown value, and as the figure of something else", async () => {
    const change = await shown(null);
    expect(text()).toBe("—");
    change("5");
    expect(await drawn(0)).toBeNull();
    change("900", "b");
    expect(await drawn(0)).toBeNull();
    expect(text()).toBe("900.00tUSD");
  });

  it("is not animated with reduced motion", async () => {
    const change = await shown("1");
    stubMedia("prefers-reduced-motion");
    change("2");
    expect(await drawn(0)).toBeNull();
    expect(text()).toBe("2.00tUSD");
  });
});
