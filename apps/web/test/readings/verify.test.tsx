import type { ReadingProof } from "@aqua/sdk/api/telemetry";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { ExpectedReading } from "../../src/features/readings/proof-verification.ts";
import { type ProofSource, Verify } from "../../src/features/readings/verify.tsx";
import { renderPage } from "../page-harness.tsx";
import { aDemand } from "../products/details.ts";
import { anchorAnswers, anchorContract, aProof, coSigned } from "./proofs.ts";

let genuine: ReadingProof;
beforeAll(async () => {
  genuine = await aProof();
});
afterEach(() => vi.unstubAllGlobals());

const product = () =>
  aDemand({ short_id: "solar", chain_id: 31337, contracts: [{ role: "telemetry_anchor", address: anchorContract }] });

interface World {
  /** The owner of the revoked key. */
  revoked?: string;
  away?: boolean;
  /** The number of anchored batches, and the digests of those after the first. */
  batches?: number;
  later?: string[];
  /** The product is unknown to this site. */
  foreign?: boolean;
}

/** The site's API and node for one anchored batch. */
function serve(proof: unknown, { away = false, foreign = false, ...chain }: World = {}) {
  const answer = anchorAnswers(genuine, chain);
  const fail = (status: number, error_code: string) =>
    Response.json({ error_code, message: "no", request_id: "r" }, { status });
  return vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const path = String(input);
    if (path.includes("/rpc/")) {
      if (away) throw new TypeError("Failed to fetch");
      const { params } = JSON.parse(String(init?.body));
      return Response.json({ jsonrpc: "2.0", id: 1, result: answer(params[0].data) });
    }
    if (path.includes("transparency/proof")) return Response.json({ data: proof });
    if (path.includes("product/solar"))
      return foreign ? fail(404, "pool_not_found") : Response.json({ data: product() });
    throw new Error(`No answer for ${path}`);
  });
}

/** The genuine reading as the pages request it. */
const asked = (parts: Partial<ExpectedReading> = {}): ExpectedReading => {
  const { device, seq, time } = genuine.reading;
  return { device, seq, shortId: "solar", time, value: "1234.7", ...parts };
};

function open(source: ProofSource = asked()) {
  renderPage(<Verify source={source} />, "/", "/");
}

/** The displayed result of each step: "holds", "failed" or "not checked". */
async function shown() {
  const list = await screen.findByRole("list", { name: "Checks" });
  return within(list)
    .getAllByRole("listitem")
    .map((item) => /not checked|failed|passed/.exec(item.textContent ?? "")?.[0]);
}
const failing = (states: (string | undefined)[]) =>
  states.flatMap((state, index) => (state === "failed" ? [index + 1] : []));

describe("the check of a reading", () => {
  it("passes each step of a genuine one, and names who answered the chain calls", async () => {
    serve(genuine);
    open();
    expect(new Set(await shown())).toEqual(new Set(["passed"]));
    expect(screen.getByText("All checks passed")).toBeTruthy();
    expect(screen.getByText("1,234.7 kWh")).toBeTruthy();
    expect(screen.getByText(/Read through this site’s node/)).toBeTruthy();
    expect(screen.getByText("npm run aqua -- verify aqua-proof-meter-1-2.json")).toBeTruthy();
    expect(screen.getByText(/in a copy of Aqua’s repository with the file in it/)).toBeTruthy();
  });

  it("shows block, transaction and time of anchoring as unverified, since no step checks them", async () => {
    const [block, block_time] = [1, Date.UTC(2031, 0, 1)];
    serve({ ...genuine, batch: { ...genuine.batch, block, block_time, hash: `0x${"ee".repeat(32)}` } });
    open();
    await screen.findByText("All checks passed");
    expect(screen.getByText("The device measured before the batch closed.")).toBeTruthy();
    for (const label of ["Block, unverified", "Transaction, unverified", "Anchored, unverified"])
      expect(screen.getByText(label)).toBeTruthy();
  });

  it("does not accept a genuine proof of another reading", async () => {
    serve(genuine);
    open(asked({ seq: 3 }));
    await screen.findByText("This proof belongs to another reading.");
    expect((await shown())[0]).toBe("failed");
    expect(screen.queryByText("1,234.7 kWh")).toBeNull();
  });

  it.each<[string, Partial<ExpectedReading>]>([
    ["another product", { shortId: "lagoon" }],
    ["another value", { value: "999999.0" }],
    ["another time", { time: Date.UTC(2026, 0, 11) }],
    ["a later batch than the report names", { lastBatch: 0 }],
  ])("does not accept a genuine proof of %s", async (_what, parts) => {
    serve(genuine);
    open(asked(parts));
    await screen.findByText("This proof belongs to another reading.");
    expect((await shown())[0]).toBe("failed");
    expect(screen.queryByText("All checks passed")).toBeNull();
  });

  it("names the product of the reading, and compares values regardless of trailing zeros", async () => {
    serve(genuine);
    open(asked({ value: "1234.700", lastBatch: 1 }));
    await screen.findByText("All checks passed");
    expect(screen.getByText(/^by meter-1 of product solar, number 2,/)).toBeTruthy();
  });

  const tampered: [string, (proof: ReadingProof) => unknown, World, number, RegExp][] = [
    [
      "a figure that was raised",
      (proof) => ({ ...proof, reading: { ...proof.reading, value: "99999" } }),
      {},
      3,
      /The signature does not match/,
    ],
    ["a revoked key", (proof) => proof, { revoked: "meter-1" }, 2, /had no key then.*revoked/],
    ["a swapped leaf", (proof) => ({ ...proof, leaf: `0x${"77".repeat(32)}` }), {}, 4, /belongs to another reading/],
    [
      "a root that is not the batch's",
      (proof) => ({ ...proof, batch: { ...proof.batch, root: `0x${"66".repeat(32)}` } }),
      {},
      5,
      /the path does not lead to its root/,
    ],
    [
      "another contract than the product's",
      (proof) => ({ ...proof, batch: { ...proof.batch, contract: `0x${"55".repeat(20)}` } }),
      {},
      7,
      /names another contract or chain/,
    ],
    ["what is no proof at all", () => ({ hello: "world" }), {}, 1, /This is not a proof of a reading/],
  ];
  it.each(tampered)(
    "breaks at the right step for %s, and says so in words",
    async (_case, change, world, number, words) => {
      const proof = change(genuine);
      serve(proof, world);
      open({ proof });
      expect(failing(await shown())[0]).toBe(number);
      expect(screen.getByText("Check failed")).toBeTruthy();
      expect(screen.getByText(new RegExp(`Step ${number} failed:`))).toBeTruthy();
      expect(screen.getByText(words)).toBeTruthy();
    },
  );

  it("of a co-signed reading has a step for the co-signature, and names the co-signer", async () => {
    const proof = await coSigned(genuine);
    serve(proof);
    open();
    const states = await shown();
    expect(states).toEqual(Array(9).fill("passed"));
    const step = screen.getByText(/\. Second signature$/).closest("li");
    expect(step?.textContent).toContain("signed it too");
    expect(step?.textContent).toContain("Second signergrid");
    expect(step?.textContent).toContain(proof.reading.co_signature?.signature);
  });

  it.each([
    ["a tampered one", { by: "grid", signature: `0x${"12".repeat(65)}` }, {}, /The second signature does not match/],
    ["the device's own", { by: "meter-1" }, {}, /can’t be its own second signer/],
    ["one whose key was revoked", {}, { revoked: "grid" }, /The second signer had no key then/],
  ])("fails at the co-signature for %s", async (_case, change, world, words) => {
    const proof = await coSigned(genuine);
    const co_signature = { by: "grid", signature: "0x", ...proof.reading.co_signature, ...change };
    const changed = { ...proof, reading: { ...proof.reading, co_signature } };
    serve(changed, world);
    open({ proof: changed });
    expect(failing(await shown())).toEqual([4]);
    expect(screen.getByText(/Step 4 failed: Second signature/)).toBeTruthy();
    expect(screen.getByText(words)).toBeTruthy();
  });

  describe("with a proof saved before more batches were anchored", () => {
    const later = [`0x${"71".repeat(32)}`, `0x${"72".repeat(32)}`];
    const now = (change: Partial<ReadingProof["batch"]> = {}) => ({
      ...genuine,
      batch: { ...genuine.batch, later, ...change },
    });

    it("is linked to the stream's head by this site's digests, which the chain confirms", async () => {
      serve(now(), { batches: 3, later });
      open({ proof: genuine });
      expect(new Set(await shown())).toEqual(new Set(["passed"]));
    });

    it.each([
      ["where this site knows no such reading", null],
      ["where this site has the reading in another batch", { number: 2 }],
    ])("is shown as out of date %s", async (_case, change) => {
      const asked = serve(change && now(change), { batches: 3, later });
      if (change === null) {
        const answer = asked.getMockImplementation();
        asked.mockImplementation(async (input, init) =>
          String(input).includes("transparency/proof")
            ? Response.json({ error_code: "not_found", message: "no", request_id: "r" }, { status: 404 })
            : (answer as typeof fetch)(input, init),
        );
      }
      open({ proof: genuine });
      await screen.findByText(/The proof is outdated/);
      expect(failing(await shown())).toEqual([]);
    });

    it("still fails where it is forged", async () => {
      const forged = { ...genuine, batch: { ...genuine.batch, data_hash: `0x${"66".repeat(32)}` } };
      serve(now(), { batches: 3, later });
      open({ proof: forged });
      expect(failing(await shown())[0]).toBe(6);
    });
  });

  it("leaves steps open when the chain is unreachable, and repeats the check on request", async () => {
    serve(genuine, { away: true });
    open();
    const states = await shown();
    expect(failing(states)).toEqual([]);
    expect(states.filter((state) => state === "not checked")).toHaveLength(2);
    expect(screen.getByText("Check incomplete")).toBeTruthy();
    serve(genuine);
    fireEvent.click(screen.getByRole("button", { name: "Check again" }));
    await screen.findByText("All checks passed");
  });

  it("refetches the proof when a batch was anchored between it and the chain call", async () => {
    const calls = serve(genuine);
    const site = calls.getMockImplementation();
    const proofs = () => calls.mock.calls.filter(([url]) => String(url).includes("transparency/proof")).length;
    const moved = anchorAnswers(genuine, { batches: 2 });
    calls.mockImplementation(async (input, init) => {
      if (!String(input).includes("/rpc/") || proofs() > 1) return site?.(input, init) as Promise<Response>;
      const { params } = JSON.parse(String(init?.body));
      return Response.json({ jsonrpc: "2.0", id: 1, result: moved(params[0].data) });
    });
    open();
    expect(new Set(await shown())).toEqual(new Set(["passed"]));
    expect(proofs()).toBe(2);
  });

  it("reports a supplied proof that is out of date", async () => {
    serve(genuine, { batches: 2 });
    open({ proof: genuine });
    await screen.findByText(/The proof is outdated/);
  });

  it("queries the visitor's wallet where it is on the chain, and names it", async () => {
    const calls = serve(genuine);
    const answer = anchorAnswers(genuine);
    vi.stubGlobal("ethereum", {
      request: async ({ method, params }: { method: string; params?: [{ data: `0x${string}` }] }) =>
        method === "eth_chainId" ? "0x7a69" : answer(params?.[0].data ?? "0x"),
    });
    open();
    const source = await screen.findByText(/your wallet window\.ethereum/);
    expect(source.textContent).toContain("If you added the network on this site, that is this site’s node.");
    expect(source.textContent).toContain("The contract address comes from this site.");
    expect(source.textContent).not.toContain("independent");
    expect(calls.mock.calls.filter(([url]) => String(url).includes("/rpc/"))).toEqual([]);
    expect(new Set(await shown())).toEqual(new Set(["passed"]));
  });

  it("does not pass a reading in a contract that only the proof names", async () => {
    serve(genuine, { foreign: true });
    open({ proof: genuine });
    await screen.findByText(/The contract address comes from the proof/);
    const states = await shown();
    expect(failing(states)).toEqual([]);
    // Key and anchor: whoever forges a proof can also deploy a contract that agrees with it.
    expect(states.map((state) => state === "not checked")).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((number) => number === 2 || number === 7),
    );
    expect(screen.getByText("Check incomplete")).toBeTruthy();
    expect(screen.getAllByText(/Anyone can deploy one/)).toHaveLength(2);
  });

  it("reports that it could not check, and not an unknown product, while this site does not answer", async () => {
    const calls = serve(genuine);
    const site = calls.getMockImplementation();
    calls.mockImplementation(async (input, init) => {
      if (String(input).includes("product/solar"))
        return Response.json({ error_code: "internal_error", message: "no", request_id: "r" }, { status: 500 });
      return (site as typeof fetch)(input, init);
    });
    open({ proof: genuine });
    await screen.findByText("The proof could not be checked");
    expect(screen.queryByText(/does not know the product/)).toBeNull();
  });

  it("still fails what the proof's own contract does not contain", async () => {
    serve(genuine, { foreign: true, revoked: "meter-1" });
    open({ proof: genuine });
    expect(failing(await shown())).toEqual([2]);
  });

  it.each([
    ["its reading", (proof: ReadingProof, time: number) => ({ ...proof, reading: { ...proof.reading, time } })],
    ["its key", (proof: ReadingProof, time: number) => ({ ...proof, key: { ...proof.key, valid_until: time } })],
    ["its batch", (proof: ReadingProof, time: number) => ({ ...proof, batch: { ...proof.batch, to: time } })],
    ["its block", (proof: ReadingProof, time: number) => ({ ...proof, batch: { ...proof.batch, block_time: time } })],
  ])("evaluates a proof with a time for %s that no calendar has", async (_case, change) => {
    const proof = change(genuine, Number.MAX_SAFE_INTEGER);
    serve(proof);
    open({ proof });
    expect((await shown())[0]).toBe("passed");
    expect(screen.getByText(/by meter-1/)).toBeTruthy();
  });

  it("refuses JSON nested ten thousand levels deep, repeatedly", async () => {
    const proof = JSON.parse("[".repeat(20_000) + "]".repeat(20_000));
    serve(proof);
    open({ proof });
    expect(failing(await shown())).toEqual([1]);
    fireEvent.click(screen.getByRole("button", { name: "Check again" }));
    await waitFor(() => expect(screen.getByText(/This is not a proof of a reading/)).toBeTruthy());
  });

  it("shows a failure when no proof can be loaded, and retries", async () => {
    const calls = vi.spyOn(globalThis, "fetch").mockImplementation(async () => {
      throw new TypeError("Failed to fetch");
    });
    open();
    await screen.findByText("The proof could not be checked");
    calls.mockRestore();
    serve(genuine);
    fireEvent.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(async () => expect(await screen.findByText("All checks passed")).toBeTruthy());
  });
});
