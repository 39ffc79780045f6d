import type { IncomeProof } from "@aqua/sdk/api/incomeProof";
import type { AnchoredBatch, ReadingProof } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, readBatchFile } from "@aqua/sdk/proofs/batch";
import { worthOf } from "@aqua/sdk/proofs/income";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import Anchors from "../../src/features/transparency/anchors.tsx";
import { fileStep } from "../../src/features/transparency/batch-file-text.ts";
import VerifyYourself from "../../src/features/transparency/verify-yourself.tsx";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { renderPage } from "../page-harness.tsx";
import { aDemand } from "../products/details.ts";
import { aDevice, aKept } from "../readings/fixtures.ts";
import { aBatchFile, anchorAnswers, anchorContract, aProof } from "../readings/proofs.ts";
import { other, summary } from "./fixtures.ts";
import { aBatch, aFleet } from "./fleet.ts";
import { aBlock, aHolding, answerOf, readIn, time } from "./receipts.ts";

let genuine: ReadingProof;
let file: Uint8Array;
let batch: AnchoredBatch;
/** The state of the chain: the head after the file's only batch. */
let onChain: ReadingProof;

beforeAll(async () => {
  genuine = await aProof();
  ({ file } = await aBatchFile(1));
  const { number, previous_head, root, from, to } = readBatchFile(file).header;
  const data_hash = dataHashOf(file);
  const digest = batchDigest({ stream: genuine.batch.stream, number, root, from, to, count: 1, dataHash: data_hash });
  const head = nextHead(previous_head, digest);
  batch = aBatch({ ...genuine.batch, root, from, to, count: 1, data_hash, head, file: true });
  onChain = { ...genuine, batch: { ...genuine.batch, head } };
});
beforeEach(async () => {
  await loadTexts("evidence", "readings", "products", "forms", "transparency");
});
afterEach(() => vi.unstubAllGlobals());

const product = () =>
  aDemand({ short_id: "solar", chain_id: 31337, contracts: [{ role: "telemetry_anchor", address: anchorContract }] });

interface World {
  /** The number of batches anchored on chain. */
  anchored?: number;
  /** The state of the chain; null: no node answers. */
  chain?: ReadingProof | null;
  batches?: AnchoredBatch[];
  kept?: ReturnType<typeof aKept>[];
  /** The batch file that is downloaded. */
  fetched?: Uint8Array;
}

function serve({
  chain = genuine,
  anchored = 1,
  batches = [batch],
  kept = [aKept({ seq: 2, time: genuine.reading.time, value: "1234.7" })],
  fetched = file,
}: World = {}) {
  const data = (body: unknown) => Response.json({ data: body });
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const path = String(input).replace("/api/v2/", "");
    if (path.includes("/rpc/")) {
      if (!chain) throw new TypeError("Failed to fetch");
      const { params } = JSON.parse(String(init?.body));
      return Response.json({
        jsonrpc: "2.0",
        id: 1,
        result: anchorAnswers(chain, { batches: anchored })(params[0].data),
      });
    }
    if (path.startsWith("transparency/anchors/"))
      return new Response(fetched.slice(), { headers: { "content-type": "application/x-ndjson" } });
    if (path.startsWith("transparency/anchors"))
      return data({ items: batches, total: batches.length, page: 1, page_size: 100 });
    if (path.startsWith("transparency/proof")) return data(genuine);
    if (path.includes("/readings")) return data(kept);
    if (path.startsWith("transparency/devices")) return data(aFleet());
    if (path.includes("/devices")) return data([aDevice()]);
    if (path.startsWith("product/solar")) return data(product());
    throw new Error(`No answer for ${path}`);
  });
}

const open = () => renderPage(<VerifyYourself />, "/", "/");

/** The steps that fail, counted from 1. */
async function failing() {
  const list = await screen.findByRole("list", { name: "Checks" });
  return within(list)
    .getAllByRole("listitem")
    .flatMap((item, index) => (item.textContent?.includes("failed") ? [index + 1] : []));
}

const tampered = (text: string) => text.replace(/"value":"\d+"/, '"value":"999999"');
const choose = async (bytes: Uint8Array, name: string) => {
  fireEvent.click(screen.getByRole("tab", { name: "Choose a file" }));
  const input = await screen.findByLabelText(/Proof or batch file/);
  fireEvent.change(input, { target: { files: [new File([bytes.slice()], name)] } });
};
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The proof of an income without events. The price rises while a gain is streamed. */
function anIncome(): IncomeProof {
  const accounts = { supply: "1000000000000", settled: "1000000", streaming: "500000", start: 0, end: 1_753_000_000 };
  const [from, to] = [Date.UTC(2025, 6, 1) / 1_000, Date.UTC(2025, 7, 1) / 1_000];
  const held = { units: 500_000_000_000n, claimable: 0n };
  const [before, after] = [worthOf(held, accounts, from), worthOf(held, accounts, to)];
  const told = { accounts, units: String(held.units), claimable: "0" };
  return {
    format: "aqua-income-proof-1",
    wallet: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    chain_id: 31337,
    month: "2025-07",
    ...{ from, to, block: null },
    products: [
      {
        short_id: "solar",
        contract: anchorContract,
        queue: null,
        telemetry: anchorContract,
        ...{ symbol: "tUSD", decimals: 6, vesting_time: 86_400 },
        opening: { ...told, value: String(before) },
        steps: [],
        closing: { ...told, value: String(after) },
        income: String(after - before),
        ...{ documents: [], batches: [], readings: [] },
      },
    ],
  };
}

describe("verify yourself", () => {
  it("checks a reading chosen by product, device and time", async () => {
    serve();
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Verify this reading" }));
    await screen.findByText("All checks passed");
  });

  it("offers no reading of a device without anchored readings", async () => {
    serve({ kept: [aKept({ anchored: false, batch: null })] });
    open();
    await screen.findByText(/No recent reading of this device is anchored/);
    expect(screen.queryByRole("button", { name: "Verify this reading" })).toBeNull();
  });

  it("passes a genuine pasted proof, and fails one with another figure at the signature", async () => {
    serve();
    open();
    fireEvent.click(screen.getByRole("tab", { name: "Paste a proof" }));
    const box = await screen.findByLabelText("Reading proof (JSON)");
    const check = () => fireEvent.click(screen.getByRole("button", { name: "Check" }));
    fireEvent.change(box, { target: { value: JSON.stringify(genuine) } });
    check();
    await screen.findByText("All checks passed");
    fireEvent.change(box, { target: { value: tampered(JSON.stringify(genuine)) } });
    check();
    await screen.findByText(/Step 3 failed: Signature/);
    expect(await failing()).toEqual([3, 4]);
    fireEvent.change(box, { target: { value: "{" } });
    check();
    await screen.findByText(/This is not valid JSON/);
  });

  it("distinguishes a proof from a batch file by its content", async () => {
    serve();
    open();
    await choose(bytesOf(JSON.stringify(genuine)), "proof.json");
    await screen.findByText("All checks passed");
    expect(screen.getByText(/\. Reading’s hash$/)).toBeTruthy();
  });

  it("checks a whole batch file against the published figures and the chain", async () => {
    serve({ chain: onChain });
    open();
    await choose(file, "batch.ndjson");
    await screen.findByText("All checks passed");
    expect(screen.getByText("Batch 1 of solar, 1 reading")).toBeTruthy();
    expect(screen.getByText(/file hash match the published ones/)).toBeTruthy();
    expect(screen.getByText("Each reading of a device names the reading before it.")).toBeTruthy();
    expect(screen.getByText("npm run aqua -- verify batch.ndjson")).toBeTruthy();
    expect(screen.getByText(/put the file in a copy of Aqua’s repository and run/)).toBeTruthy();
  });

  it("shows how many numbers the devices of a file passed over", () => {
    expect(fileStep({ step: "chain", state: "pass", skipped: 497 }, true).text).toBe(
      "Each reading of a device names the reading before it. 497 numbers were skipped.",
    );
  });

  it("fails at the signature, with its line, where a figure in the file was changed", async () => {
    serve({ chain: onChain });
    open();
    await choose(bytesOf(tampered(new TextDecoder().decode(file))), "batch.ndjson");
    await screen.findByText(/Step 3 failed: Signatures/);
    expect(screen.getByText(/Line 2: The signature does not match/)).toBeTruthy();
    expect(await failing()).toEqual([3, 5, 6, 7]);
  });

  it("retries when a batch anchored meanwhile has replaced the head, before it calls the file unlisted", async () => {
    const calls = serve({ chain: onChain, anchored: 2 });
    open();
    await choose(file, "batch.ndjson");
    const asked = () => calls.mock.calls.filter(([url]) => String(url).includes("transparency/anchors?")).length;
    await waitFor(() => expect(asked()).toBe(2));
    serve({ chain: onChain });
    await screen.findByText("All checks passed");
  });

  it("keeps its comparison with the published figures where a retry finds the batch listed no more", async () => {
    const otherRoot = { ...batch, root: `0x${"12".repeat(32)}` };
    const calls = serve({ chain: onChain, anchored: 2, batches: [otherRoot] });
    open();
    await choose(file, "batch.ndjson");
    const asked = () => calls.mock.calls.filter(([url]) => String(url).includes("transparency/anchors?")).length;
    await waitFor(() => expect(asked()).toBe(2));
    serve({ chain: onChain, anchored: 2, batches: [] });
    await screen.findByText(/Step 6 failed: Batch and file hash/);
    expect(screen.queryByText(/match the published ones/)).toBeNull();
  });

  it("leaves open what it cannot check: a batch this site does not list, a chain that does not answer", async () => {
    serve({ chain: onChain, anchored: 2, batches: [] });
    open();
    await choose(file, "batch.ndjson");
    await screen.findByText("Check incomplete");
    expect(screen.getByText(/This site does not list the batch and does not know which chain/)).toBeTruthy();
    expect(screen.getByText(/This site lists no such batch/)).toBeTruthy();
    expect(screen.queryByText(/match the published ones/)).toBeNull();
    expect(await failing()).toEqual([]);
    serve({ chain: null });
    fireEvent.click(screen.getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(screen.getAllByText(/The chain did not answer/).length).toBeGreaterThan(0));
    expect(await failing()).toEqual([]);
  });

  it("does not pass a batch in a contract that only the file names", async () => {
    const calls = serve({ chain: onChain });
    const site = calls.getMockImplementation();
    calls.mockImplementation(async (input, init) =>
      String(input).includes("product/solar")
        ? Response.json({ error_code: "pool_not_found", message: "no", request_id: "r" }, { status: 404 })
        : (site as typeof fetch)(input, init),
    );
    open();
    await choose(file, "batch.ndjson");
    await screen.findByText("Check incomplete");
    expect(screen.getAllByText(/^The file matches the contract it names, .*Anyone can deploy one/)).toHaveLength(2);
    expect(await failing()).toEqual([]);
  });

  it("reports a file that is no batch file", async () => {
    serve();
    open();
    await choose(bytesOf("hello\nworld\n"), "notes.txt");
    await screen.findByText(/This is not a batch file exactly as published/);
    expect(await failing()).toEqual([1]);
  });
});

describe("a receipt or a statement's line", () => {
  const at = (query: string) => renderPage(<VerifyYourself />, "/", `/?${query}`);
  /** Serves one receipt and its owner's holdings; no other number exists on chain. */
  function serveHoldings(held = aHolding(), newest = time) {
    return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      const url = String(input);
      if (url.includes("/rpc/")) {
        const { method, params } = JSON.parse(String(init?.body));
        const answer = (result: unknown) => Response.json({ jsonrpc: "2.0", id: 1, result });
        if (method === "eth_getBlockByNumber") return answer(aBlock(params[0] === "latest" ? newest : undefined));
        if (method !== "eth_call") return answer(null);
        const data: string = params[0].data;
        const unknown = readIn(data) === "receiptOf" && Number(`0x${data.slice(10)}`) !== 7;
        return answer(unknown ? `0x${"0".repeat(8 * 64)}` : answerOf(data));
      }
      if (url.includes("transparency/summary")) return Response.json({ data: summary() });
      if (url.includes("account/hold/"))
        return Response.json({ data: { items: [held], total: 1, page: 1, page_size: 100 } });
      if (url.includes("transparency/devices")) return Response.json({ data: aFleet({ feeds: [] }) });
      throw new Error(`No answer for ${url}`);
    });
  }
  const press = async () => fireEvent.click(await screen.findByRole("button", { name: "Check" }));

  it("fills its field from the address, and compares the receipt figure by figure", async () => {
    serveHoldings();
    at("verify=receipt&product=term&receipt=7");
    await press();
    await screen.findByText("14 figures compared, no difference");
    const table = screen.getByRole("table", { name: "Receipt 7, figure by figure" });
    expect(within(table).getAllByText("equal")).toHaveLength(14);
    expect(within(table).getByRole("row", { name: /^Maturity instruction/ }).textContent).toContain(
      "principal rolls over, term 2",
    );
  });

  it("shows that the compared block is old where the newest is more than five minutes later", async () => {
    serveHoldings(aHolding(), time + 7_200n);
    at("verify=receipt&product=term&receipt=7");
    await press();
    await screen.findByText("The compared block is 2 hr older than the newest block.");
  });

  it("shows which figure differs", async () => {
    serveHoldings(aHolding({ wallet: other }));
    at("verify=receipt&product=term&receipt=7");
    await press();
    await screen.findByText("1 figure differs from the chain");
    expect(screen.getByRole("row", { name: /^Holder/ }).textContent).toContain("different");
  });

  it("keeps the typed text after any result and while other tabs are open", async () => {
    serveHoldings();
    at("verify=receipt");
    const number = () => screen.findByLabelText<HTMLInputElement>("Receipt number");
    fireEvent.change(await number(), { target: { value: "twelve" } });
    await press();
    await screen.findByText("Enter digits only, for example 12.");
    fireEvent.change(await number(), { target: { value: " #0012 " } });
    await press();
    await screen.findByText("There is no receipt 12");
    fireEvent.click(screen.getByRole("tab", { name: "A statement line" }));
    fireEvent.click(screen.getByRole("tab", { name: "A receipt" }));
    expect((await number()).value).toBe(" #0012 ");
  });

  it("reports that a demand deposit and an unknown product have no receipts", async () => {
    serveHoldings();
    const page = at("verify=receipt&product=solar&receipt=7");
    await screen.findByText(/Sahel Solar is a demand deposit/);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Check" }).disabled).toBe(true);
    page.unmount();
    at("verify=receipt&product=gone&receipt=7");
    await screen.findByText(/gone is not on this site/);
  });

  it("accepts a hash with a file's quotes, and reports an invalid or unknown one", async () => {
    serveHoldings();
    at(`verify=line&tx=${encodeURIComponent("0x12")}`);
    await press();
    await screen.findByText(/Enter 0x and 64 characters/);
    const box = await screen.findByLabelText("Transaction hash");
    fireEvent.change(box, { target: { value: ` "0x${"AB".repeat(32)}",` } });
    await press();
    await screen.findByText("Transaction not found");
    expect(screen.getByText(`0x${"ab".repeat(32)}`)).toBeTruthy();
  });
});

it("a genuine file of another batch is not accepted for the requested one", async () => {
  serve({ chain: onChain, batches: [{ ...batch, number: 2 }] });
  renderPage(<Anchors />, "/", "/");
  fireEvent.click(await screen.findByRole("button", { name: "Check batch 2" }));
  await screen.findByText("This file belongs to another batch.");
  expect(screen.queryByText("All checks passed")).toBeNull();
});

it("a batch in the table is downloaded and checked on its own", async () => {
  serve({ chain: onChain });
  renderPage(<Anchors />, "/", "/");
  fireEvent.click(await screen.findByRole("button", { name: "Check batch 1" }));
  await screen.findByText("All checks passed");
});

describe("the proof of an income as a file", () => {
  it("is checked link by link, and says what only the chain knows", async () => {
    serve();
    open();
    await choose(bytesOf(JSON.stringify(anIncome())), "income.json");
    await screen.findByText("Check incomplete");
    expect(screen.getByText("Income of 0x709…79C8 in 2025-07")).toBeTruthy();
    expect(screen.getByText(/^solar: 0\.\d{6} tUSD$/)).toBeTruthy();
    expect(await failing()).toEqual([]);
    expect(screen.getAllByText(/The node did not answer, or does not keep old blocks/).length).toBeGreaterThan(0);
  });

  it("fails at the step that a changed amount breaks, also if the file is large", async () => {
    serve();
    open();
    const forged = anIncome();
    const [product] = forged.products;
    if (product) product.income = "999999";
    await choose(bytesOf(`${JSON.stringify(forged, null, 2)}${" ".repeat(300_000)}`), "income.json");
    await screen.findByText("Step 9 failed: Earnings. Do not rely on this file.");
    expect(await failing()).toEqual([9]);
  });

  it("is refused if it is incomplete", async () => {
    serve();
    open();
    await choose(bytesOf('{"format":"aqua-income-proof-1"}'), "income.json");
    await screen.findByText("This is not a proof of income, or it is incomplete.");
  });
});
