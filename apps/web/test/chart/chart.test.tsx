import { fireEvent, render, screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { Chart } from "../../src/ui/chart/chart.tsx";
import { PartsBar } from "../../src/ui/chart/parts-bar.tsx";
import type { ChartProps } from "../../src/ui/chart/types.ts";

const day = 86_400_000;
const start = Date.UTC(2026, 0, 1, 12);
const points = Array.from({ length: 60 }, (_, index) => ({
  time: start + index * day,
  value: index === 58 ? null : `1.${String(index).padStart(2, "0")}`,
}));
const format = (value: string) => `${value} tUSD`;
const markers = [{ time: start + 57.2 * day, text: "A loss of 12 tUSD was reported", tone: "loss" as const }];

async function open() {
  render(
    <Chart title="Share price" series={[{ name: "Price", colour: 1, points }]} markers={markers} format={format} />,
  );
  return screen.findByRole("application", { name: "Share price" });
}
const spoken = () => screen.getByRole("status").textContent;

describe("a chart", () => {
  it("reads out the newest point first, and each point the keys move to, with its exact digits", async () => {
    const drawing = await open();
    expect(spoken()).toBe("");
    fireEvent.keyDown(drawing, { key: "ArrowLeft" });
    expect(spoken()).toContain("Price 1.59 tUSD");
    fireEvent.keyDown(drawing, { key: "Home" });
    expect(spoken()).toContain("Jan 1, 2026");
    expect(spoken()).toContain("Price 1.00 tUSD");
    fireEvent.keyDown(drawing, { key: "PageDown" });
    expect(spoken()).toContain("Price 1.06 tUSD");
  });

  it("reads out a gap as no value, never as 0", async () => {
    const drawing = await open();
    fireEvent.keyDown(drawing, { key: "End" });
    fireEvent.keyDown(drawing, { key: "ArrowLeft" });
    expect(spoken()).toContain("Price no value");
    expect(within(screen.getByRole("figure")).getByText("—")).toBeTruthy();
  });

  it("describes a report where the cursor meets its flag", async () => {
    const drawing = await open();
    fireEvent.keyDown(drawing, { key: "End" });
    expect(screen.queryByText("A loss of 12 tUSD was reported")).toBeNull();
    fireEvent.keyDown(drawing, { key: "ArrowLeft" });
    fireEvent.keyDown(drawing, { key: "ArrowLeft" });
    expect(spoken()).toMatch(/Price 1\.57 tUSD\. A loss of 12 tUSD was reported$/);
    expect(screen.getByText("A loss of 12 tUSD was reported")).toBeTruthy();
  });

  it("ignores other keys, and removes the cursor on Escape", async () => {
    const drawing = await open();
    expect(fireEvent.keyDown(drawing, { key: "ArrowDown" })).toBe(true);
    expect(fireEvent.keyDown(drawing, { key: "ArrowLeft", altKey: true })).toBe(true);
    expect(fireEvent.keyDown(drawing, { key: "ArrowLeft" })).toBe(false);
    fireEvent.keyDown(drawing, { key: "ArrowLeft" });
    expect(within(screen.getByRole("figure")).getByText("—")).toBeTruthy();
    fireEvent.keyDown(drawing, { key: "Escape" });
    expect(within(screen.getByRole("figure")).queryByText("—")).toBeNull();
  });

  it("follows the pointer without announcing each point", async () => {
    const drawing = await open();
    fireEvent.pointerMove(drawing, { clientX: 0 });
    expect(within(screen.getByRole("figure")).getByText("1.00 tUSD")).toBeTruthy();
    expect(spoken()).toBe("");
  });

  it("lists every row in its table, newest first, in pages", async () => {
    await open();
    const details = screen.getByText("Show as a table").closest("details") as HTMLDetailsElement;
    details.open = true;
    fireEvent(details, new Event("toggle"));
    const table = await screen.findByRole("table", { name: "Share price" });
    const rows = () => within(table).getAllByRole("row").slice(1);
    expect(within(rows()[0] as HTMLElement).getByText("1.59 tUSD")).toBeTruthy();
    expect(within(rows()[1] as HTMLElement).getByText("—")).toBeTruthy();
    const seen = new Set<string | null>();
    for (;;) {
      for (const row of rows()) seen.add(row.textContent);
      const next = screen.getByRole("button", { name: "Next page" });
      if (next.getAttribute("aria-disabled") === "true") break;
      fireEvent.click(next);
    }
    expect(seen.size).toBe(points.length);
  });

  it("starts at the newest known value, not at a gap at the end", async () => {
    const open = [...points.slice(0, 20), { time: start + 20 * day, value: null }];
    render(<Chart title="Ends" series={[{ name: "Price", colour: 1, points: open }]} format={format} />);
    const figure = await screen.findByRole("figure", { name: "Ends" });
    expect(within(figure).getAllByText("1.19 tUSD").length).toBeGreaterThan(0);
    expect(within(figure).queryByText("—")).toBeNull();
  });

  it("names the months that its points are sums of", async () => {
    const sums = [
      { time: Date.UTC(2026, 9), value: "2" },
      { time: Date.UTC(2026, 10), value: "3" },
    ];
    render(
      <Chart
        title="Income"
        series={[{ name: "Income", colour: 1, points: sums, bars: true }]}
        format={format}
        periods="month"
      />,
    );
    const drawing = await screen.findByRole("application", { name: "Income" });
    expect(within(screen.getByRole("figure")).getByText("November 2026")).toBeTruthy();
    fireEvent.keyDown(drawing, { key: "Home" });
    expect(spoken()).toBe("October 2026, Income 2 tUSD");
  });

  it("names a day or week that its points are of by its first day", async () => {
    const monday = Date.UTC(2026, 10, 16);
    const sums = Array.from({ length: 30 }, (_, index) => ({ time: monday + index * 7 * day, value: "1" }));
    render(
      <Chart
        title="Weeks"
        series={[{ name: "Matures", colour: 1, points: sums, bars: true }]}
        format={format}
        periods="day"
      />,
    );
    const drawing = await screen.findByRole("application", { name: "Weeks" });
    fireEvent.keyDown(drawing, { key: "Home" });
    expect(spoken()).toBe("Nov 16, 2026, Matures 1 tUSD");
    const ticks = Array.from(drawing.querySelectorAll("svg text"), ({ textContent }) => textContent);
    expect(ticks).toContain("Nov 16");
  });

  it("can have an axis that is not time", async () => {
    const across = { name: "Amount", format: (value: number) => `${value} tUSD` };
    const curve = [1000, 5000].map((time, index) => ({ time, value: String(index * 3) }));
    render(
      <Chart
        title="Exit"
        series={[{ name: "Days", colour: 2, points: curve }]}
        across={across}
        format={(value) => `${value} d`}
      />,
    );
    fireEvent.keyDown(await screen.findByRole("application", { name: "Exit" }), { key: "End" });
    expect(spoken()).toBe("5000 tUSD, Days 3 d");
  });
});

describe("several series in one chart", () => {
  const two = points.slice(0, 2);
  const open = async (series: ChartProps["series"]) => {
    render(<Chart title="Together" series={series} format={format} />);
    return screen.findByRole("figure", { name: "Together" });
  };
  const dashes = (drawn: ArrayLike<Element>) => Array.from(drawn, (one) => one.getAttribute("stroke-dasharray"));

  it("differ by dash, and so do their samples in the legend", async () => {
    const colours = [3, 1, 2, 4, 5, 6] as const;
    const figure = await open(colours.map((colour) => ({ name: `Line ${colour}`, colour, points: two })));
    const lines = dashes(within(figure).getByRole("application").querySelectorAll("path"));
    expect(new Set(lines).size).toBe(colours.length);
    expect(lines[1]).toBeNull();
    expect(dashes(figure.querySelectorAll("figcaption line"))).toEqual(lines);
    for (const colour of colours) expect(within(figure).getByText(`Line ${colour}`)).toBeTruthy();
  });

  it("differ as filled and hollow where they are bars, in the legend too", async () => {
    const figure = await open([
      { name: "In", colour: 1, bars: true, points: two },
      { name: "Out", colour: 2, bars: true, points: two },
    ]);
    const fills = (drawn: ArrayLike<Element>) => new Set(Array.from(drawn, (one) => one.getAttribute("fill-opacity")));
    expect(fills(within(figure).getByRole("application").querySelectorAll("rect")).size).toBe(2);
    expect(fills(figure.querySelectorAll("figcaption rect")).size).toBe(2);
  });

  it("are solid where a line or a set of bars is the only one of its kind", async () => {
    const figure = await open([
      { name: "Rate", colour: 5, points: two },
      { name: "Income", colour: 2, bars: true, points: two },
    ]);
    expect(dashes(within(figure).getByRole("application").querySelectorAll("path"))).toEqual([null]);
    expect(figure.querySelector("figcaption rect")?.getAttribute("fill-opacity")).toBe("1");
  });
});

describe("a bar of parts", () => {
  it("draws nothing for an unknown part and labels it as unknown", () => {
    const parts = [
      { key: "a", name: "Idle", value: "30", colour: 1 as const },
      { key: "b", name: "Deployed", value: null, colour: 2 as const },
      { key: "c", name: "Set aside", value: "10", colour: 3 as const },
    ];
    const { container } = render(<PartsBar label="Assets" parts={parts} format={format} />);
    expect(screen.getByRole("figure", { name: "Assets" }).textContent).toBe("Idle30 tUSDDeployed—Set aside10 tUSD");
    const widths = [...container.querySelectorAll("svg rect")].slice(1).map((part) => part.getAttribute("width"));
    expect(widths).toEqual(["75%", "0%", "25%"]);
  });
});
