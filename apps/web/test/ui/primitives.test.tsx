import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Amount } from "../../src/ui/amount.tsx";
import { Button } from "../../src/ui/button.tsx";
import { ErrorState } from "../../src/ui/error-state.tsx";
import { Gauge } from "../../src/ui/gauge.tsx";
import { Segmented } from "../../src/ui/segmented.tsx";
import { Stamp } from "../../src/ui/stamp.tsx";
import { Table } from "../../src/ui/table.tsx";
import { Tabs } from "../../src/ui/tabs.tsx";
import { TextField } from "../../src/ui/text-field.tsx";
import { Thread } from "../../src/ui/thread.tsx";
import { Tooltip } from "../../src/ui/tooltip.tsx";
import { Unknown } from "../../src/ui/unknown.tsx";

const tabs = ["Demand", "Time", "Requests"].map((label) => ({ value: label, label, panel: `${label} panel` }));
function ThreeTabs() {
  const [value, setValue] = useState("Demand");
  return <Tabs label="Deposits" value={value} onChange={setValue} tabs={tabs} />;
}

describe("tabs", () => {
  const tab = (name: string) => screen.getByRole("tab", { name });
  const chosen = () => screen.getByRole("tab", { selected: true }).textContent;

  it("connect each tab to its panel and are one stop in the tab order", () => {
    render(<ThreeTabs />);
    expect(screen.getByRole("tablist", { name: "Deposits" })).toBeTruthy();
    expect(screen.getByRole("tabpanel", { name: "Demand" }).textContent).toBe("Demand panel");
    expect(tab("Demand").getAttribute("aria-controls")).toBe(screen.getByRole("tabpanel").id);
    expect(screen.getAllByRole("tab").filter((one) => one.tabIndex === 0)).toEqual([tab("Demand")]);
  });

  it.each([
    ["ArrowRight", "Demand", "Time"],
    ["ArrowRight", "Requests", "Demand"],
    ["ArrowLeft", "Demand", "Requests"],
    ["Home", "Requests", "Demand"],
    ["End", "Demand", "Requests"],
  ])("%s moves from %s to %s, with the focus", (key, from, to) => {
    render(<ThreeTabs />);
    fireEvent.click(tab(from));
    fireEvent.keyDown(tab(from), { key });
    expect(chosen()).toBe(to);
    expect(document.activeElement).toBe(tab(to));
  });

  it("leave Alt and an arrow key to the browser", () => {
    render(<ThreeTabs />);
    fireEvent.keyDown(tab("Demand"), { key: "ArrowLeft", altKey: true });
    expect(chosen()).toBe("Demand");
  });
});

describe("table", () => {
  it("has the roles that its card layout would drop, and names each row by its first cell", () => {
    const columns = [
      { key: "what", title: "What", lead: true, render: (row: string) => row },
      { key: "amount", title: "Amount", figure: true, render: () => "1.00" },
    ];
    render(<Table caption="Movements" columns={columns} rows={["Deposit", "Withdrawal"]} rowKey={(row) => row} />);
    const table = screen.getByRole("table", { name: "Movements" });
    expect(table.getAttribute("role")).toBe("table");
    expect(within(table).getAllByRole("columnheader")).toHaveLength(2);
    const row = within(table).getByRole("row", { name: /Deposit/ });
    expect(row.getAttribute("role")).toBe("row");
    expect(within(row).getByRole("rowheader", { name: "Deposit" })).toBeTruthy();
    const cell = within(row).getByRole("cell");
    expect(cell.getAttribute("role")).toBe("cell");
    // On a card the column's title is inside the cell; screen readers already read it from the column's header.
    const title = within(cell).getByText("Amount");
    expect(title.getAttribute("aria-hidden")).toBe("true");
    expect(title.className).toContain("rows:hidden");
  });
});

describe("tooltip", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const bubble = () => screen.getByRole("tooltip", { hidden: true });
  function show() {
    render(
      <Tooltip text="Assets over shares">
        <button type="button">Share price</button>
      </Tooltip>,
    );
    return screen.getByRole("button", { name: "Share price" });
  }

  it("describes its element whether it is open or not", () => {
    const button = show();
    expect(bubble().hidden).toBe(true);
    expect(button.getAttribute("aria-describedby")).toBe(bubble().id);
    expect(bubble().textContent).toBe("Assets over shares");
  });

  it("opens with the focus and closes with it", () => {
    const button = show();
    act(() => button.focus());
    expect(bubble().hidden).toBe(false);
    act(() => button.blur());
    expect(bubble().hidden).toBe(true);
  });

  it("opens while the pointer rests, and stays open while the pointer moves onto the text", async () => {
    const button = show();
    fireEvent.pointerEnter(button.parentElement as HTMLElement, { pointerType: "mouse" });
    await pass(299);
    expect(bubble().hidden).toBe(true);
    await pass(1);
    expect(bubble().hidden).toBe(false);
    fireEvent.pointerLeave(button.parentElement as HTMLElement, { pointerType: "mouse" });
    fireEvent.pointerEnter(button.parentElement as HTMLElement, { pointerType: "mouse" });
    await pass(1_000);
    expect(bubble().hidden).toBe(false);
    fireEvent.pointerLeave(button.parentElement as HTMLElement, { pointerType: "mouse" });
    await pass(120);
    expect(bubble().hidden).toBe(true);
  });

  it("stays open when its element is scrolled into view", () => {
    const button = show();
    act(() => button.focus());
    fireEvent.scroll(document);
    expect(bubble().hidden).toBe(false);
  });

  it("closes with Escape, which nothing else receives", () => {
    const button = show();
    const outside = vi.fn();
    document.addEventListener("keydown", outside);
    act(() => button.focus());
    fireEvent.keyDown(button, { key: "Escape" });
    expect(bubble().hidden).toBe(true);
    expect(outside).not.toHaveBeenCalled();
    fireEvent.keyDown(button, { key: "Escape" });
    expect(outside).toHaveBeenCalledTimes(1);
    document.removeEventListener("keydown", outside);
  });

  it("is the accessible name of an unknown figure's dash", async () => {
    render(<Unknown reason="No report yet" />);
    await act(() => vi.dynamicImportSettled());
    const dash = screen.getByRole("button", { name: "No report yet" });
    expect(dash.textContent).toBe("—");
    fireEvent.click(dash);
    expect(bubble().hidden).toBe(false);
  });
});

describe("stamp", () => {
  const minute = 60_000;
  const show = (age: number, stale = false) =>
    render(<Stamp block={1_204_551} time={Date.now() - age} stale={stale} from="Report 18" />);

  it.each([
    ["says block and age while fresh", 1 * minute, false, /block 1,204,551.*1 min\. ago$/, "text-muted"],
    ["turns amber and says late when older than expected", 3 * minute, false, /3 min\. ago · late$/, "text-caution"],
    [
      "turns red and says stale when the chain has fallen behind",
      minute,
      true,
      /1 min\. ago · stale$/,
      "text-negative",
    ],
  ])("%s", (_, age, stale, text, tone) => {
    show(age, stale);
    const button = screen.getByRole("button");
    expect(button.textContent).toMatch(text);
    expect(button.className).toContain(tone);
  });

  it("opens block, time, age, what the figures were computed from and how to check them", async () => {
    show(2 * minute);
    const button = screen.getByRole("button");
    fireEvent.click(button);
    await screen.findByText("Computed from");
    const rows = screen.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(rows.map(([term]) => term)).toEqual(["Block", "Time of the block", "Age", "Computed from"]);
    expect(rows[0]?.[1]).toBe("1,204,551");
    expect(rows[1]?.[1]).toMatch(/UTC|GMT|[A-Z]{3}/);
    expect(rows[3]?.[1]).toBe("Report 18");
    expect(screen.getByText(/ask any node/)).toBeTruthy();
  });
});

describe("gauge", () => {
  it.each([
    [0.625, "63"],
    [-1, "0"],
    [7, "100"],
  ])("reads %d as %s of 100", (level, now) => {
    render(<Gauge label="Cap filled" level={level} text="in words" />);
    const meter = screen.getByRole("meter", { name: "Cap filled" });
    expect(meter.getAttribute("aria-valuenow")).toBe(now);
    expect(meter.getAttribute("aria-valuetext")).toBe("in words");
  });

  it.each(["tube", "vessel"] as const)("has no level while unknown: %s", (shape) => {
    render(<Gauge label="Cap filled" level={null} text="unknown" shape={shape} />);
    expect(screen.queryByRole("meter")).toBeNull();
    expect(screen.getByRole("img", { name: "Cap filled: unknown" })).toBeTruthy();
  });
});

describe("thread", () => {
  it("is a named list of its knots in order", () => {
    const names = ["Reading", "Anchor", "Report", "Share price", "Payout"];
    render(<Thread label="From reading to payout" knots={names.map((name) => ({ key: name, label: name }))} />);
    const list = screen.getByRole("list", { name: "From reading to payout" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((knot) => knot.textContent),
    ).toEqual(names);
  });
});

describe("controls", () => {
  it("include a field's error in its description and announce it", () => {
    const { rerender } = render(<TextField label="Code" hint="Six digits" />);
    const field = screen.getByRole("textbox", { name: "Code" });
    const note = () => document.getElementById(field.getAttribute("aria-describedby") ?? "");
    expect(note()?.textContent).toBe("Six digits");
    expect(field.hasAttribute("aria-invalid")).toBe(false);
    rerender(<TextField label="Code" hint="Six digits" error="The code has six digits." />);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(note()).toBe(screen.getByRole("alert"));
    expect(note()?.textContent).toBe("The code has six digits.");
  });

  it("keep the focus on a busy button and ignore its clicks", () => {
    const click = vi.fn();
    render(
      <Button busy onClick={click}>
        Deposit
      </Button>,
    );
    const button = screen.getByRole("button", { name: "Deposit" });
    button.focus();
    fireEvent.click(button);
    expect(click).not.toHaveBeenCalled();
    expect(button.getAttribute("aria-busy")).toBe("true");
    expect(document.activeElement).toBe(button);
  });

  it("are radio buttons for mutually exclusive choices", () => {
    const change = vi.fn();
    const options = ["7D", "30D"].map((value) => ({ value, label: value }));
    render(<Segmented label="Range" value="7D" onChange={change} options={options} />);
    const group = screen.getByRole("group", { name: "Range" });
    expect(within(group).getByRole<HTMLInputElement>("radio", { name: "7D" }).checked).toBe(true);
    fireEvent.click(within(group).getByRole("radio", { name: "30D" }));
    expect(change).toHaveBeenCalledWith("30D");
  });

  it("show a choice at once, though its value arrives later, and follow a value that changes by itself", () => {
    const options = ["7D", "30D", "ALL"].map((value) => ({ value, label: value }));
    const bar = (value: string) => <Segmented label="Range" value={value} onChange={() => {}} options={options} />;
    const { rerender } = render(bar("7D"));
    fireEvent.click(screen.getByRole("radio", { name: "30D" }));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "30D" }).checked).toBe(true);
    rerender(bar("ALL"));
    expect(screen.getByRole<HTMLInputElement>("radio", { name: "ALL" }).checked).toBe(true);
  });

  it("show a failure with its reference and a retry", () => {
    const retry = vi.fn();
    const failure = { error_code: "internal_error", message: "The list could not be read.", request_id: "req-1" };
    render(<ErrorState title="Transactions could not be loaded" error={failure} onRetry={retry} />);
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("The list could not be read.");
    expect(alert.textContent).toContain("req-1");
    fireEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    expect(retry).toHaveBeenCalledTimes(1);
  });

  it("show no message of the code's own, which is in one language and for its developers", () => {
    render(<ErrorState error={new TypeError("x is undefined")} />);
    expect(screen.getByRole("alert").textContent).toBe("This could not be loadedThe server answered with an error.");
  });

  it("offer a reload where code is missing, which no retry loads", () => {
    render(
      <ErrorState error={new TypeError("Failed to fetch dynamically imported module: /a.js")} onRetry={vi.fn()} />,
    );
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toContain("There may be a new version of Aqua, or the connection was lost.");
    expect(within(alert).getAllByRole("button")).toEqual([within(alert).getByRole("button", { name: "Reload" })]);
  });
});

describe("amount", () => {
  it.each([
    ["null as a dash without a unit", null, "—"],
    ["zero as zero, without a sign", "0", "0.00tUSD"],
    ["a loss with its sign", "-1250.5", "−1,250.50tUSD"],
    ["a gain with its sign", "1250.5", "+1,250.50tUSD"],
    ["a huge figure exactly", "123456789012345678.126", "+123,456,789,012,345,678.13tUSD"],
  ])("shows %s", (_, value, text) => {
    const { container } = render(<Amount value={value} unit="tUSD" tone="gain" />);
    expect(container.textContent).toBe(text);
  });

  it("shows a change that rounds to zero without sign and colour, and one that does not with both", () => {
    const { container } = render(<Amount value="-0.000001" tone="gain" />);
    expect(container.textContent).toBe("0.00");
    expect(container.querySelector(".text-negative")).toBeNull();
    const { container: loss } = render(<Amount value="-0.01" tone="gain" />);
    expect(loss.textContent).toBe("−0.01");
    expect(loss.querySelector(".text-negative")).not.toBeNull();
  });
});
