import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import Devices from "../../src/features/product/devices.tsx";
import { formatDateTime } from "../../src/i18n/format.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { aDevice, aGauge, aKept, aSeries } from "./fixtures.ts";

const data = (body: unknown) => ({ body: { data: body } });
const failure = { status: 503, body: { error_code: "internal_error", message: "down", request_id: "r1" } };
type Answers = Parameters<typeof answerApi>[0];

function open(answers: Answers = {}, address = "/product/solar") {
  const calls = answerApi({
    ...answers,
    "product/solar/devices": answers["product/solar/devices"] ?? data([aDevice(), aGauge()]),
    "product/solar/readings": answers["product/solar/readings"] ?? data(aSeries(["1", "2", null, "4"])),
    "transparency/devices": answers["transparency/devices"] ?? data([aKept()]),
  });
  renderPage(<Devices shortId="solar" />, "/product/solar", address);
  const asked = () => calls.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("solar/readings?"));
  return { asked };
}

afterEach(() => vi.unstubAllGlobals());

describe("the devices of a product", () => {
  it("show location, value, trust, quality and state as text", async () => {
    open({ "product/solar/devices": data([aDevice(), aGauge({ status: "offline", trust: "declared" })]) });
    const meter = await screen.findByRole("button", { name: /Array 1/ });
    for (const word of ["1,234.5\u00a0kWh", "Energy", "Key in a chip", "98.1% good", "reporting"])
      expect(meter.textContent).toContain(word);
    const probe = screen.getByRole("button", { name: /Inverter house/ });
    for (const word of ["Power", "Declared", "offline"]) expect(probe.textContent).toContain(word);
  });

  it("show the co-signer of a device", async () => {
    open({ "product/solar/devices": data([aDevice({ trust: "co_signed", co_signer: "goms-grid" })]) });
    const card = await screen.findByRole("button", { name: /Array 1/ });
    expect(card.textContent).toContain("Signed twice");
    const panel = within(await screen.findByRole("region", { name: "Array 1, north field" }));
    expect(panel.getByText("Also signed by goms-grid")).toBeTruthy();
    expect(panel.getByText(/A second signer, independent of the operator/)).toBeTruthy();
  });

  it("show why readings are missing from the quality, and that a person enters a declared figure", async () => {
    open({ "product/solar/devices": data([aDevice({ trust: "declared" })]) });
    const panel = await screen.findByRole("region", { name: "Array 1, north field" });
    expect(within(panel).getByText("1.9% missing")).toBeTruthy();
    expect(within(panel).getByText(/A person reads and sends the figure/)).toBeTruthy();
  });

  it("show the exact interval, since when it applies, and the earlier ones", async () => {
    const [first, second] = [Date.UTC(2026, 0, 5, 12), Date.UTC(2026, 0, 8, 12)];
    const intervals = [
      { since: null, interval: 86_400_000 },
      { since: first, interval: 3_600_000 },
      { since: second, interval: 90_000 },
    ];
    open({ "product/solar/devices": data([aDevice({ interval: 90_000, intervals })]) });
    const panel = within(await screen.findByRole("region", { name: "Array 1, north field" }));
    expect(panel.getByText("every 90 sec")).toBeTruthy();
    expect(panel.getByText(`since ${formatDateTime(second)}`)).toBeTruthy();
    const before = within(panel.getByText("Earlier").closest("details") as HTMLElement);
    expect(before.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^every 1 hrJan 5, 2026.*\s–\sJan 8, 2026/),
      `every 1 dayuntil ${formatDateTime(first)}`,
    ]);
  });

  it("show no earlier interval where there was none", async () => {
    open();
    const panel = within(await screen.findByRole("region", { name: "Array 1, north field" }));
    expect(panel.getByText("every 1 min")).toBeTruthy();
    expect(panel.queryByText("Earlier")).toBeNull();
    expect(panel.queryByText(/^since /)).toBeNull();
  });

  it("never show 0 for an unknown value", async () => {
    const fresh = { last: null, last_seen: null, availability: null, key: null, status: "never" as const };
    open({ "product/solar/devices": data([aDevice({ ...fresh, quality: { score: null, reasons: [] } })]) });
    const card = await screen.findByRole("button", { name: /Array 1/ });
    for (const word of ["no reading yet", "quality unknown", "never seen", "never active"])
      expect(card.textContent).toContain(word);
    const panel = screen.getByRole("region", { name: "Array 1, north field" });
    await within(panel).findByRole("button", { name: /no valid key on chain/ });
    expect(within(panel).queryByText(/^0/)).toBeNull();
  });

  it("store the chosen device and span in the address", async () => {
    const { asked } = open();
    await screen.findByRole("region", { name: "Array 1, north field" });
    await waitFor(() => expect(asked().at(-1)).toContain("device=meter-1"));
    fireEvent.click(screen.getByRole("button", { name: /Inverter house/ }));
    fireEvent.click(await screen.findByRole("radio", { name: "30D" }));
    await waitFor(() =>
      expect(screen.getByRole("status", { name: "address" }).textContent).toBe(
        "/product/solar?device=probe-1&span=30d",
      ),
    );
    await waitFor(() => expect(asked().at(-1)).toMatch(/device=probe-1.*resolution=hour/));
  });

  it("name the days that the points of a long span are of", async () => {
    const { devices, ...series } = aSeries(["1", "2"]);
    const days = [Date.UTC(2026, 9, 1), Date.UTC(2026, 9, 2)];
    const points = days.map((time) => ({ time, value: "1", min: "1", max: "1", count: 24, good: 24 }));
    const answer = {
      ...series,
      from: days[0],
      to: days[1],
      resolution: "day",
      devices: devices.map((device) => ({ ...device, name: "meter-1", step: 86_400_000, points })),
    };
    open({ "product/solar/readings": data(answer) }, "/product/solar?span=1y");
    const panel = within(await screen.findByRole("region", { name: "Array 1, north field" }));
    expect(await panel.findByText("Oct 2, 2026")).toBeTruthy();
  });

  it("show the device in the address, and the first register where that is unknown", async () => {
    open({}, "/product/solar?device=probe-1&span=1y");
    await screen.findByRole("region", { name: "Inverter house" });
    expect((screen.getByRole("radio", { name: "1Y" }) as HTMLInputElement).checked).toBe(true);
  });

  it("show that a product has none", async () => {
    open({ "product/solar/devices": data([]) });
    await screen.findByText("No devices");
  });

  it("show a failure separately, and the content after Retry", async () => {
    let broken = true;
    open({ "product/solar/devices": () => (broken ? failure : data([aDevice()])) });
    await screen.findByText("The devices could not be loaded");
    broken = false;
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByRole("region", { name: "Array 1, north field" });
  });

  it("show whether a reading is on chain, and why it is not counted", async () => {
    open({
      "transparency/devices": data([
        aKept({ seq: 44, batch: null, anchored: false }),
        aKept({ seq: 43, batch: 4, anchored: false }),
        aKept({ seq: 42, flaw: "backwards" }),
      ]),
    });
    const table = await screen.findByRole("table", { name: "Latest readings" });
    const rows = within(table).getAllByRole("row").slice(1);
    const said = ["waits for the next batch", "in batch 4, not yet on chain", "anchored in batch 3"];
    for (const [index, words] of said.entries()) expect(rows[index]?.textContent).toContain(words);
    expect(rows[2]?.textContent).toContain("register decreased");
  });

  it("show that a span has no readings", async () => {
    open({ "product/solar/readings": data(aSeries([])) });
    await screen.findByText("No readings in this period");
  });
});
