import type { ServerEvents } from "@aqua/sdk/api/events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createNews } from "../../src/telemetry/news.ts";

const reading = (device: string, seq: number, shortId = "tide") => ({
  shortId,
  device,
  seq,
  time: seq * 1_000,
  value: BigInt(seq * 10),
  exponent: -1,
});

describe("notifications of new readings", () => {
  const told: ServerEvents["readings"][] = [];
  let news: ReturnType<typeof createNews>;
  const commit = (...good: ReturnType<typeof reading>[]) => news.committed({ outcomes: [], good }, 1);

  beforeEach(() => {
    vi.useFakeTimers();
    told.length = 0;
    news = createNews({ publishFleeting: (_name, data) => told.push(data) }, 2_000);
  });
  afterEach(() => {
    news.stop();
    vi.useRealTimers();
  });

  it("include the first at once, and then the newest of each device every two seconds", () => {
    commit(reading("meter-1", 1), reading("meter-2", 1));
    expect(told).toEqual([
      {
        short_id: "tide",
        readings: [
          { device: "meter-1", seq: 1, time: 1_000, value: "1.0" },
          { device: "meter-2", seq: 1, time: 1_000, value: "1.0" },
        ],
      },
    ]);
    commit(reading("meter-1", 2));
    commit(reading("meter-1", 3));
    expect(told).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    expect(told).toHaveLength(2);
    expect(told[1]?.readings).toEqual([{ device: "meter-1", seq: 3, time: 3_000, value: "3.0" }]);
    vi.advanceTimersByTime(60_000);
    expect(told).toHaveLength(2);
  });

  it("are not delayed by those of another product", () => {
    commit(reading("meter-1", 1));
    commit(reading("meter-9", 1, "solar"));
    expect(told.map(({ short_id }) => short_id)).toEqual(["tide", "solar"]);
  });

  it("omit a commit without counted readings", () => {
    commit();
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([]);
  });
});
