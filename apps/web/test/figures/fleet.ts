import type { AnchoredBatch, Fleet, RefusedReading } from "@aqua/sdk/api/telemetry";
import { now } from "./fixtures.ts";

const hex = (digit: string) => `0x${digit.repeat(64)}`;

export function aFleet(parts: Partial<Fleet> = {}): Fleet {
  return {
    total: 7,
    by_status: { online: 4, late: 1, no_key: 1, retired: 1 },
    by_trust: { secure_element: 5, declared: 2 },
    co_signers: [],
    by_key: { p256: 3, secp256k1: 2 },
    reporting_24h: 5,
    accepted_24h: 86_391,
    readings: 1_204_551,
    refused_24h: [
      { reason: "signature", count: 2 },
      { reason: "gap", count: 31 },
    ],
    flawed_24h: [{ reason: "bounds", count: 3 }],
    feeds: [
      {
        short_id: "solar",
        name: "Solar Array Thies",
        devices: 5,
        in_service: 5,
        last_reading: now - 4_000,
        readings_stale: false,
        last_anchor: now - 600_000,
        batches: 96,
        unanchored: 412,
        anchor_stale: false,
      },
      {
        short_id: "term",
        name: "Lagoon Notes",
        devices: 2,
        in_service: 1,
        last_reading: now - 86_400_000,
        readings_stale: true,
        last_anchor: null,
        batches: 0,
        unanchored: 8,
        anchor_stale: true,
      },
      {
        short_id: "tidal",
        name: "Tidal Pilot",
        devices: 2,
        in_service: 0,
        last_reading: now - 100 * 86_400_000,
        readings_stale: false,
        last_anchor: now - 99 * 86_400_000,
        batches: 79,
        unanchored: 0,
        anchor_stale: false,
      },
    ],
    as_of: { chain_id: 31337, block: 1_204_551, time: now, stale: false },
    ...parts,
  };
}

export function aBatch(parts: Partial<AnchoredBatch> = {}): AnchoredBatch {
  return {
    chain_id: 31337,
    contract: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    short_id: "solar",
    stream: `0x${"736f6c6172".padEnd(64, "0")}`,
    number: 96,
    previous_head: hex("1"),
    root: hex("2"),
    from: now / 1_000 - 3_600,
    to: now / 1_000 - 600,
    count: 4_096,
    data_hash: hex("3"),
    head: hex("4"),
    block: 1_204_540,
    block_time: now - 600_000,
    hash: hex("5"),
    file: true,
    ...parts,
  };
}

export function aRefusal(parts: Partial<RefusedReading> = {}): RefusedReading {
  return {
    id: 1,
    received: now - 60_000,
    device: "meter-1",
    short_id: "solar",
    reason: "signature",
    message: "Not the signature of the key the device has at that time",
    via: "mqtt",
    ...parts,
  };
}
