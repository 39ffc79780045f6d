import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import Anchors from "../../src/features/transparency/anchors.tsx";
import { FeedTable, Fleet } from "../../src/features/transparency/fleet.tsx";
import { Refused } from "../../src/features/transparency/refused-readings.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { answerApi, renderPage } from "../page-harness.tsx";
import { now } from "./fixtures.ts";
import { aBatch, aFleet, aRefusal } from "./fleet.ts";

const data = (body: unknown) => ({ body: { data: body } });
const pageOf = (items: unknown[], total = items.length) => data({ items, total, page: 1, page_size: 10 });
const failure = { status: 503, body: { error_code: "chain_unavailable", message: "down", request_id: "r1" } };
const parts = (
  <>
    <Fleet />
    <FeedTable />
    <Anchors />
    <Refused />
  </>
);
const open = () => renderPage(parts, "/transparency", "/transparency");

type Answers = Parameters<typeof answerApi>[0];
const answer = (answers: Answers = {}) =>
  answerApi({
    "transparency/devices": data(aFleet()),
    "transparency/anchors": pageOf([aBatch()]),
    "transparency/losses": data({ missing: [], declared: [] }),
    "transparency/refused": pageOf([aRefusal()]),
    "product/": data([]),
    ...answers,
  });
const section = (name: string) => screen.findByRole("region", { name });

beforeEach(async () => {
  vi.spyOn(Date, "now").mockReturnValue(now);
  await loadTexts("evidence", "readings", "products", "transparency");
});
afterEach(() => vi.restoreAllMocks());

describe("devices", () => {
  it("are counted by status, kind of key and trust; one without a key is of neither kind", async () => {
    answer();
    open();
    const status = await screen.findByRole("figure", { name: "Status" });
    expect(status.textContent).toContain("reporting4");
    expect(status.textContent).toContain("no key1");
    expect(status.textContent).not.toContain("offline");
    expect(screen.getByRole("figure", { name: "Key type" }).textContent).toContain("P-256, hardware3");
    expect(screen.getByText("2 devices have no valid key.")).toBeTruthy();
    expect(screen.getByRole("figure", { name: "Key protection" }).textContent).toContain("Declared2");
  });

  it("with a co-signer are counted, and their co-signers named", async () => {
    const twice = { by_trust: { secure_element: 4, co_signed: 3 }, co_signers: ["goms-grid", "tide-lab"] };
    answer({ "transparency/devices": data(aFleet(twice)) });
    open();
    expect((await screen.findByRole("figure", { name: "Key protection" })).textContent).toContain("Signed twice3");
    expect(screen.getByText("Second signature: goms-grid and tide-lab.")).toBeTruthy();
  });

  it("have separate counts of accepted, invalid and refused readings", async () => {
    answer();
    open();
    const devices = within(await section("Devices"));
    const figure = async (label: string) => (await devices.findByText(label)).parentElement?.textContent ?? "";
    expect(await figure("Accepted in 24 h")).toContain("86,391");
    expect(await figure("Excluded")).toContain("33 out of range");
    expect(await figure("Rejected in 24 h")).toContain("33");
    expect(devices.getByText("5 active in 24 h")).toBeTruthy();
  });

  it("have late readings or anchors marked, and no age where there are none", async () => {
    answer();
    open();
    const table = await screen.findByRole("table", { name: "Device data freshness" });
    const [fresh, late, ended] = within(table).getAllByRole("row").slice(1) as [HTMLElement, HTMLElement, HTMLElement];
    expect(within(fresh).getByText("on time")).toBeTruthy();
    expect(fresh.textContent).toContain("10 min. ago");
    expect(within(late).getByText("readings late")).toBeTruthy();
    expect(within(late).getByText("anchor late")).toBeTruthy();
    expect(late.textContent).toContain("none yet");
    expect(within(ended).getByText("out of service")).toBeTruthy();
  });

  it("that do not exist leave no empty table of feeds", async () => {
    answer({ "transparency/devices": data(aFleet({ total: 0, feeds: [], refused_24h: [] })) });
    open();
    await screen.findByText("No devices yet");
    expect(screen.queryByRole("heading", { name: "Device data freshness" })).toBeNull();
  });
});

describe("refused readings", () => {
  it("are counted by reason, most frequent first, and listed with the response to the device", async () => {
    answer({ "transparency/refused": pageOf([aRefusal(), aRefusal({ id: 2, device: null, short_id: null })]) });
    open();
    const part = within(await section("Rejected readings"));
    const reasons = await part.findAllByRole("term");
    expect(reasons.map((reason) => reason.textContent)).toEqual([
      "earlier readings are missing",
      "not signed with the device’s key",
    ]);
    const table = await part.findByRole("table");
    expect(within(table).getAllByText("Not the signature of the key the device has at that time")).toHaveLength(2);
    expect(within(table).getAllByText("MQTT")).toHaveLength(2);
    expect(within(table).getByText("no legible name")).toBeTruthy();
    expect(within(table).getByRole("link", { name: "Solar Array Thies" })).toBeTruthy();
  });

  it("are filtered by reason and by device, from the first page; an impossible name is not sent", async () => {
    const calls = answer({ "transparency/refused": pageOf([aRefusal()], 25) });
    open();
    const part = within(await section("Rejected readings"));
    const asked = () => calls.mock.calls.map(([url]) => String(url)).filter((url) => url.includes("refused"));
    fireEvent.click(await part.findByRole("button", { name: "Next page" }));
    await waitFor(() => expect(asked().at(-1)).toContain("page=2"));
    fireEvent.change(part.getByLabelText("Reason"), { target: { value: "gap" } });
    await waitFor(() => expect(asked().at(-1)).toContain("reason=gap"));
    expect(asked().at(-1)).toContain("page=1&");
    fireEvent.change(part.getByLabelText("Device"), { target: { value: "meter-1" } });
    await waitFor(() => expect(asked().at(-1)).toContain("device=meter-1"));
    expect(asked().at(-1)).toContain("reason=gap");
    fireEvent.change(part.getByLabelText("Device"), { target: { value: "Meter 1" } });
    await part.findByText("Use 1 to 31 characters: a–z, 0–9 and -");
    fireEvent.change(part.getByLabelText("Device"), { target: { value: "meter-2" } });
    await waitFor(() => expect(asked().at(-1)).toContain("device=meter-2"));
    expect(asked().some((url) => url.includes("Meter"))).toBe(false);
  });

  it("distinguish an empty list from an empty filter result", async () => {
    answer({ "transparency/refused": pageOf([]) });
    open();
    const part = within(await section("Rejected readings"));
    await part.findByText("No rejected readings in 30 days");
    fireEvent.change(part.getByLabelText("Reason"), { target: { value: "gap" } });
    await part.findByText("No rejected reading matches the filters");
  });
});

describe("anchored roots", () => {
  it("show root, head, count, time, block and the hash of the file", async () => {
    answer();
    open();
    const table = await screen.findByRole("table", { name: "Anchored roots" });
    const row = within(table).getByRole("row", { name: /^Batch 96/ });
    for (const text of ["4,096", "block 1,204,540", "0x2222…2222", "0x4444…4444", "0x3333…3333"])
      expect(row.textContent).toContain(text);
  });

  it("are filtered by product, and show when their file is not available here", async () => {
    const calls = answer({ "transparency/anchors": pageOf([aBatch({ file: false })]) });
    open();
    const part = within(await section("Anchored roots"));
    await part.findByText("file not stored here");
    fireEvent.change(await part.findByLabelText("Product"), { target: { value: "term" } });
    await waitFor(() => expect(calls.mock.calls.some(([url]) => String(url).includes("short_id=term"))).toBe(true));
  });

  it("name batches that the site lacks, and what the operator declared lost and why", async () => {
    const loss = {
      chain_id: 1,
      short_id: "solar",
      batch: 8,
      device: null,
      after_seq: null,
      reason: "The disk broke.",
      time: now,
    };
    answer({
      "transparency/losses": data({
        missing: [
          { chain_id: 1, short_id: "solar", from: 1_009, to: 1_012 },
          { chain_id: 1, short_id: "term", from: 3, to: 3 },
        ],
        declared: [loss, { ...loss, batch: null, device: "meter-7", after_seq: 5_000, reason: "Stolen." }],
      }),
    });
    open();
    const part = within(await section("Anchored roots"));
    await part.findByText(
      "These batches are on chain, but their files are missing on this site: Solar Array Thies, batch 1,009–1,012.",
    );
    await part.findByText(
      "These batches are on chain, but their files are missing on this site: Lagoon Notes, batch 3.",
    );
    await part.findByText(
      /^File lost: Solar Array Thies, batch 8\. The operator declared this on .*: The disk broke\.$/,
    );
    await part.findByText(/^Readings lost: meter-7, after number 5,000\. The operator declared this on .*: Stolen\.$/);
  });

  it("say when it could not be checked whether batches are missing", async () => {
    answer({ "transparency/losses": failure });
    open();
    await screen.findByText("This site could not check whether batch files are missing.");
  });

  it("show that there is none yet", async () => {
    answer({ "transparency/anchors": pageOf([]) });
    open();
    await screen.findByText("No anchored batches yet");
  });
});

it("every part shows its own failure, and its content after Retry", async () => {
  let broken = true;
  const unless = (body: unknown) => () => (broken ? failure : data(body));
  answer({
    "transparency/devices": unless(aFleet()),
    "transparency/anchors": unless({ items: [aBatch()], total: 1, page: 1, page_size: 10 }),
    "transparency/refused": unless({ items: [aRefusal()], total: 1, page: 1, page_size: 10 }),
  });
  open();
  await screen.findByText("The devices could not be loaded");
  await screen.findByText("The batches could not be loaded");
  await screen.findByText("The rejected readings could not be loaded");
  broken = false;
  for (const button of screen.getAllByRole("button", { name: "Retry" })) fireEvent.click(button);
  await screen.findByRole("figure", { name: "Status" });
  await screen.findByRole("table", { name: "Anchored roots" });
  await screen.findByRole("table", { name: "Rejected readings" });
});

it("loaded content stays, with a notice, when the server is unreachable", async () => {
  let gone = false;
  answer({ "transparency/anchors": () => (gone ? "unreachable" : pageOf([aBatch()], 25)) });
  open();
  const part = within(await section("Anchored roots"));
  await part.findByRole("table");
  gone = true;
  fireEvent.click(part.getByRole("button", { name: "Next page" }));
  await waitFor(() => expect(part.queryByText(/could not be loaded|last answer/)).toBeTruthy());
});
