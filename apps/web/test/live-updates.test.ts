import type { Device } from "@aqua/sdk/api/telemetry";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { followEvents } from "../src/features/live/live-updates.ts";
import { queryKeys } from "../src/features/query-keys.ts";
import { readingKeys } from "../src/features/readings/keys.ts";
import { nextBlock } from "../src/wallet/blocks.ts";
import { aDevice } from "./readings/fixtures.ts";

const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

function setUp() {
  const queries = new QueryClient();
  const keys = {
    account: [...queryKeys.me, "info"],
    mine: [...queryKeys.account(wallet), "holdings"],
    solar: [...queryKeys.product("solar"), "performance", "all"],
    hydro: queryKeys.product("hydro"),
    products: [...queryKeys.products, {}],
  };
  for (const key of Object.values(keys)) queries.setQueryData(key, "old");
  const source = new EventTarget();
  const stop = followEvents(source, queries, wallet);
  const send = (name: string, data: unknown) =>
    source.dispatchEvent(new MessageEvent(name, { data: typeof data === "string" ? data : JSON.stringify(data) }));
  const stale = () =>
    Object.entries(keys)
      .filter(([, key]) => queries.getQueryState(key)?.isInvalidated)
      .map(([name]) => name);
  return { queries, send, stale, stop };
}

describe("live updates", () => {
  it("refresh the wallet and the product of a transaction, and no other", () => {
    const { send, stale } = setUp();
    send("transaction", { address: wallet, short_id: "solar" });
    expect(stale()).toEqual(["mine", "solar", "products"]);
  });
  it("refresh the account and its wallet when an identity check or a record has changed", () => {
    const { send, stale } = setUp();
    send("identity", {});
    expect(stale()).toEqual(["account", "mine"]);
  });
  it("refresh everything when events were missed", () => {
    const { send, stale } = setUp();
    send("reset", "");
    expect(stale()).toEqual(["account", "mine", "solar", "hydro", "products"]);
  });
  it("update the chain's head in place", () => {
    const { queries, send } = setUp();
    const chain = { chain_id: 31337, head: { block: 1, time: 1, stale: true } };
    queries.setQueryData(queryKeys.network, { chains: [chain, { chain_id: 1, head: null }] });
    send("block", { chain_id: 31337, block: 2, time: 5 });
    expect(queries.getQueryData(queryKeys.network)).toEqual({
      chains: [
        { chain_id: 31337, head: { block: 2, time: 5, stale: false } },
        { chain_id: 1, head: null },
      ],
    });
  });
  it("release callers that wait for a block of the chain", async () => {
    const { send } = setUp();
    let woken = 0;
    const wait = (chainId: number, milliseconds: number) => nextBlock(chainId, milliseconds).then(() => woken++);
    const all = [wait(31337, 3_600_000), wait(31337, 3_600_000)];
    const other = wait(1, 20);
    send("block", { chain_id: 31337, block: 2, time: 5 });
    await Promise.all(all);
    expect(woken).toBe(2);
    // No block of that chain has arrived.
    await other;
  });
  it("update the last value of a device in place, and never to an older one", () => {
    const { queries, send } = setUp();
    const devices = [
      aDevice({ name: "meter", status: "late", last: { seq: 7, time: 1_000, value: "1.5" }, last_seen: 1_000 }),
      aDevice({ name: "probe" }),
    ];
    queries.setQueryData(readingKeys.devices("solar"), devices);
    const now = () => queries.getQueryData<Device[]>(readingKeys.devices("solar"));
    const say = (seq: number, value: string) =>
      send("readings", { short_id: "solar", readings: [{ device: "meter", seq, time: seq * 1_000, value }] });
    say(9, "2.5");
    expect(now()?.[0]).toMatchObject({ last: { seq: 9, value: "2.5" }, last_seen: 9_000, status: "online" });
    expect(now()?.[1]).toBe(devices[1]);
    say(8, "2.0");
    expect(now()?.[0]?.last?.value).toBe("2.5");
  });
  it("refetch data that depends on batches when one is anchored, but not the charts", () => {
    const { queries, send } = setUp();
    const kept = readingKeys.anchored("solar", "kept", "meter");
    const series = readingKeys.series("solar", "meter", "7d");
    for (const key of [kept, series]) queries.setQueryData(key, "old");
    send("anchor", { chain_id: 1, short_id: "solar", number: 3 });
    expect(queries.getQueryState(kept)?.isInvalidated).toBe(true);
    expect(queries.getQueryState(series)?.isInvalidated).toBe(false);
  });
  it("survive an invalid message and end when stopped", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ data: {} }));
    const { send, stale, stop } = setUp();
    send("transaction", "{");
    expect(log.mock.calls).toEqual([[expect.any(SyntaxError)]]);
    await vi.dynamicImportSettled();
    stop();
    send("reset", "");
    expect(stale()).toEqual([]);
  });
});
