import type { AnchoredBatch, ReadingProof, SignedReading } from "@aqua/sdk/api/telemetry";
import { batchDigest, dataHashOf, nextHead, writeBatchFile } from "@aqua/sdk/proofs/batch";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { loadTexts } from "../../src/i18n/i18n.ts";
import { Anchors } from "../../src/pages/transparency/anchors.tsx";
import { VerifyYourself } from "../../src/pages/transparency/verify-yourself.tsx";
import { renderPage } from "../page-harness.tsx";
import { aDemand } from "../products/details.ts";
import { aDevice, aKept } from "../readings/fixtures.ts";
import { anchorAnswers, anchorContract, aProof } from "../readings/proofs.ts";
import { aBatch, aFleet } from "./fleet.ts";

let genuine: ReadingProof;
let file: Uint8Array;
let batch: AnchoredBatch;
/** What the chain holds: the head after the one batch of the file. */
let onChain: ReadingProof;

beforeAll(async () => {
  genuine = await aProof();
  const reading: SignedReading = genuine.reading;
  const { chain_id, contract, short_id, number, previous_head, from, to } = genuine.batch;
  // A batch of one reading: its leaf is the root.
  const root = genuine.leaf;
  const header = { format: "aqua-batch-1" as const, chain_id, contract, short_id, number, previous_head };
  file = writeBatchFile({ ...header, root, from, to, count: 1 }, [reading]);
  const data_hash = dataHashOf(file);
  const digest = batchDigest({ stream: genuine.batch.stream, number, root, from, to, count: 1, dataHash: data_hash });
  const head = nextHead(previous_head, digest);
  batch = aBatch({ ...genuine.batch, root, count: 1, data_hash, head, file: true });
  onChain = { ...genuine, batch: { ...genuine.batch, head } };
});
beforeEach(async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  await loadTexts("evidence", "readings", "products", "forms", "transparency");
});
afterEach(() => vi.unstubAllGlobals());

const product = () =>
  aDemand({ short_id: "solar", chain_id: 31337, contracts: [{ role: "telemetry_anchor", address: anchorContract }] });

interface World {
  /** How far the stream has come on chain. */
  anchored?: number;
  /** What the chain holds; null: nobody answers for it. */
  chain?: ReadingProof | null;
  batches?: AnchoredBatch[];
  kept?: ReturnType<typeof aKept>[];
  /** Of the batch file as it is fetched. */
  fetched?: Uint8Array;
}

function serve({
  chain = genuine,
  anchored = 1,
  batches = [batch],
  kept = [aKept({ seq: 2 })],
  fetched = file,
}: World = {}) {
  const data = (body: unknown) => Response.json({ data: body });
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const path = String(input).replace("/api/v2/", "");
    if (path.startsWith("/rpc/")) {
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

/** The steps that do not hold, counted from 1. */
async function failing() {
  const list = await screen.findByRole("list", { name: "Steps of the check" });
  return within(list)
    .getAllByRole("listitem")
    .flatMap((item, index) => (item.textContent?.includes("does not hold") ? [index + 1] : []));
}

const tampered = (text: string) => text.replace(/"value":"\d+"/, '"value":"999999"');
const choose = async (bytes: Uint8Array, name: string) => {
  fireEvent.click(screen.getByRole("tab", { name: "Choose a file" }));
  const input = await screen.findByLabelText(/Proof or batch file/);
  fireEvent.change(input, { target: { files: [new File([bytes.slice()], name)] } });
};
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("verify yourself", () => {
  it("checks a reading that was picked by product, device and time", async () => {
    serve();
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Verify this reading" }));
    await screen.findByText("Every step holds");
  });

  it("offers no reading of a device none of whose readings is anchored", async () => {
    serve({ kept: [aKept({ anchored: false, batch: null })] });
    open();
    await screen.findByText(/None of this device’s latest readings is anchored/);
    expect(screen.queryByRole("button", { name: "Verify this reading" })).toBeNull();
  });

  it("checks a pasted proof: a genuine one holds, one with another figure breaks at the signature", async () => {
    serve();
    open();
    fireEvent.click(screen.getByRole("tab", { name: "Paste a proof" }));
    const box = await screen.findByLabelText("Proof of a reading, as JSON");
    const check = () => fireEvent.click(screen.getByRole("button", { name: "Check it" }));
    fireEvent.change(box, { target: { value: JSON.stringify(genuine) } });
    check();
    await screen.findByText("Every step holds");
    fireEvent.change(box, { target: { value: tampered(JSON.stringify(genuine)) } });
    check();
    await screen.findByText(/It breaks at step 3: The signature/);
    expect(await failing()).toEqual([3, 4]);
    fireEvent.change(box, { target: { value: "{" } });
    check();
    await screen.findByText(/This is not JSON/);
  });

  it("tells a proof from a batch file by its content", async () => {
    serve();
    open();
    await choose(bytesOf(JSON.stringify(genuine)), "proof.json");
    await screen.findByText("Every step holds");
    expect(screen.getByText("The reading’s fingerprint", { exact: false })).toBeTruthy();
  });

  it("checks a whole batch file against the published figures and the chain", async () => {
    serve({ chain: onChain });
    open();
    await choose(file, "batch.ndjson");
    await screen.findByText("Every step holds");
    expect(screen.getByText("Batch 1 of solar, 1 reading")).toBeTruthy();
    expect(screen.getByText("npx aqua verify batch.ndjson")).toBeTruthy();
  });

  it("breaks at the signature, with its line, where a figure in the file was changed", async () => {
    serve({ chain: onChain });
    open();
    await choose(bytesOf(tampered(new TextDecoder().decode(file))), "batch.ndjson");
    await screen.findByText(/It breaks at step 3: The signatures/);
    expect(screen.getByText(/Line 2: The signature does not fit/)).toBeTruthy();
    expect(await failing()).toEqual([3, 5, 6, 7]);
  });

  it("asks again when a batch anchored meanwhile has moved the head, before it calls the file unknown", async () => {
    const calls = serve({ chain: onChain, anchored: 2 });
    open();
    await choose(file, "batch.ndjson");
    const asked = () => calls.mock.calls.filter(([url]) => String(url).includes("transparency/anchors?")).length;
    await waitFor(() => expect(asked()).toBe(2));
    serve({ chain: onChain });
    await screen.findByText("Every step holds", {}, { timeout: 5_000 });
  });

  it("leaves open what it cannot know: a batch this site does not list, a chain that does not answer", async () => {
    serve({ chain: onChain, anchored: 2, batches: [] });
    open();
    await choose(file, "batch.ndjson");
    await screen.findByText("Not everything could be checked");
    expect(screen.getByText(/This site does not list the batch/)).toBeTruthy();
    expect(await failing()).toEqual([]);
    serve({ chain: null });
    fireEvent.click(screen.getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(screen.getAllByText(/Nobody answered for the chain/).length).toBeGreaterThan(0));
    expect(await failing()).toEqual([]);
  });

  it("says what no batch file is", async () => {
    serve();
    open();
    await choose(bytesOf("hello\nworld\n"), "notes.txt");
    await screen.findByText(/This is not a batch file/);
    expect(await failing()).toEqual([1]);
  });
});

it("a batch of the table is fetched and checked on its own", async () => {
  serve({ chain: onChain });
  renderPage(<Anchors />, "/", "/");
  fireEvent.click(await screen.findByRole("button", { name: "Check batch 1" }));
  await screen.findByText("Every step holds");
});
