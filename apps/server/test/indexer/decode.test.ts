import { accessManagerAbi } from "@aqua/sdk/abi/AccessManager";
import { demandVaultAbi } from "@aqua/sdk/abi/DemandVault";
import { identityRegistryAbi } from "@aqua/sdk/abi/IdentityRegistry";
import { productRegistryAbi } from "@aqua/sdk/abi/ProductRegistry";
import { redemptionQueueAbi } from "@aqua/sdk/abi/RedemptionQueue";
import { telemetryAnchorAbi } from "@aqua/sdk/abi/TelemetryAnchor";
import { termDepositAbi } from "@aqua/sdk/abi/TermDeposit";
import fc from "fast-check";
import {
  type AbiEvent,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  parseAbiItem,
  toEventSelector,
} from "viem";
import { describe, expect, it } from "vitest";
import { decodeLog, FOREVER } from "../../src/indexer/decode.ts";
import type { ChainLog } from "../../src/indexer/node.ts";

const emitters = {
  vault: {
    abi: demandVaultAbi,
    names: [
      "VaultCreated",
      "Transfer",
      "Deposit",
      "Withdraw",
      "Reported",
      "Deployed",
      "Repaid",
      "SharesRecovered",
      "QueueSet",
      "FeeTaken",
      "Skimmed",
      "LossTakenBack",
      "LossRestored",
      "CustodianChanged",
      "TreasuryChanged",
      "CapChanged",
      "MinDepositChanged",
      "PausedUntil",
    ],
  },
  product_registry: {
    abi: productRegistryAbi,
    names: ["ProductListed", "ProductStatusChanged", "ProductMetadataChanged"],
  },
  identity_registry: {
    abi: identityRegistryAbi,
    names: [
      ...(["Bound", "Renewed", "Revoked", "FrozenSet", "Retired"] as const),
      ...(["RecoveryProposed", "RecoveryVetoed", "RecoveryCancelled"] as const),
    ],
  },
  access_manager: {
    abi: accessManagerAbi,
    names: [
      ...(["RoleGranted", "RoleRevoked", "RoleLabel"] as const),
      ...(["OperationScheduled", "OperationExecuted", "OperationCanceled"] as const),
    ],
  },
  queue: { abi: redemptionQueueAbi, names: ["RedeemRequest", "Processed", "Withdraw", "PlacesRecovered"] },
  telemetry_anchor: {
    abi: telemetryAnchorAbi,
    names: ["Anchored", "HeadKept", "KeyRegistered", "KeyDropped", "KeyRevoked"],
  },
  term: {
    abi: termDepositAbi,
    names: [
      ...([
        "TermDepositCreated",
        "TermAdded",
        "TermChanged",
        "LimitsChanged",
        "PausedUntil",
        "EvidenceRenewed",
      ] as const),
      ...(["Opened", "Closed", "ExitedEarly", "RolledOver", "AutoRollSet", "InterestFunded"] as const),
      ...(["InterestWithdrawn", "Deployed", "Repaid", "LossBooked", "PaymentDemanded", "WindingDown"] as const),
      ...(["Claimed", "Recovered", "Transfer", "LossReviewed", "LossTakenBack"] as const),
    ],
  },
} as const;

/** The indexer's name of an event whose name another contract also uses. */
function ourName(emitter: string, name: string): string {
  if (emitter === "queue" && name === "Withdraw") return "QueueClaim";
  return emitter === "term" && !name.startsWith("Term") ? `Term${name}` : name;
}

/** Parameters that the indexer stores as numbers, although the contract allows larger ones: times, lengths, indexes. */
const numbers = new Set(["batch", "termId", "rollTermId", "roll", "count", "unit", "openedAt", "maturity", "since"]);

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value): Hex => `0x${Buffer.from(value).toString("hex")}`);

/** Any value of a Solidity type. Times are below the indexer's value for "never". */
function anyOf({ name, type }: { name?: string | undefined; type: string }): fc.Arbitrary<unknown> {
  if (numbers.has(name ?? "")) return fc.nat().map((value) => (type === "uint256" ? BigInt(value) : value));
  if (name === "until") return fc.bigInt(0n, BigInt(FOREVER));
  if (type === "address") return hex(20);
  if (type === "bytes32") return hex(32);
  if (type === "bool") return fc.boolean();
  if (type === "string") return fc.string();
  if (type === "bytes") return fc.nat(200).chain(hex);
  const bits = Number(type.replace(/^u?int/, ""));
  if (type.startsWith("int")) return fc.bigInt(-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n);
  const value = fc.bigInt(0n, bits === 48 || bits === 64 ? BigInt(FOREVER) : 2n ** BigInt(bits) - 1n);
  return bits <= 48 ? value.map(Number) : value;
}

/** The indexer's name of a parameter, if it differs from the contract's. */
const renamed: Record<string, string> = { streamStart: "start", streamEnd: "end", roleId: "role", tokenId: "id" };

function normal(value: unknown): string {
  return typeof value === "string" && /^0x[\da-f]+$/i.test(value) ? BigInt(value).toString() : String(value);
}

const word = (value: bigint) => value.toString(16).padStart(64, "0");

describe("decodeLog", () => {
  for (const [emitter, { abi, names }] of Object.entries(emitters)) {
    for (const name of names) {
      it(`reads ${ourName(emitter, name)} as viem does`, () => {
        const item = abi.find((entry) => entry.type === "event" && entry.name === name) as AbiEvent | undefined;
        if (!item) throw new Error(`the ABI has no event ${name}`);
        const values = fc.tuple(...item.inputs.map(anyOf));
        fc.assert(
          fc.property(values, (args) => {
            const named = Object.fromEntries(item.inputs.map((input, index) => [input.name, args[index]]));
            const topics = encodeEventTopics({ abi: [item], args: named } as never) as Hex[];
            const plain = item.inputs
              .map((input, index) => ({ input, value: args[index] }))
              .filter(({ input }) => !input.indexed);
            const data = encodeAbiParameters(
              plain.map(({ input }) => input),
              plain.map(({ value }) => value),
            );
            const log: ChainLog = {
              address: "0x01",
              topics,
              data,
              block: 7,
              blockHash: "0x02",
              logIndex: 3,
              hash: "0x04",
              time: null,
            };
            const ours = decodeLog(log, emitter as keyof typeof emitters, 99) as unknown as Record<string, unknown>;
            expect(ours).toMatchObject({
              name: ourName(emitter, name),
              address: "0x01",
              block: 7,
              logIndex: 3,
              hash: "0x04",
              time: 99,
            });
            const theirs = decodeEventLog({ abi: [item], topics: topics as [Hex, ...Hex[]], data })
              .args as unknown as Record<string, unknown>;
            let compared = 0;
            for (const [key, value] of Object.entries(theirs)) {
              const mine =
                name === "Transfer" && key === "value"
                  ? "shares"
                  : name === "PausedUntil"
                    ? "until"
                    : (renamed[key] ?? key);
              if (!(mine in ours)) continue;
              expect(normal(ours[mine])).toBe(normal(value));
              compared += 1;
            }
            expect(compared).toBeGreaterThan(0);
            // Every field that the indexer stores was compared.
            expect(compared).toBe(
              Object.keys(ours).filter((key) => !["name", "address", "block", "logIndex", "hash", "time"].includes(key))
                .length,
            );
          }),
          { numRuns: 50 },
        );
      });
    }
  }

  it("ignores events that change nothing in the tables", () => {
    const log: ChainLog = {
      address: "0x01",
      topics: [`0x${"11".repeat(32)}`],
      data: "0x",
      block: 7,
      blockHash: "0x02",
      logIndex: 3,
      hash: "0x04",
      time: null,
    };
    expect(decodeLog(log, "vault", 1)).toBeNull();
  });

  it("does not take a registry's event from a vault", () => {
    const listed = productRegistryAbi.find(
      (item) => item.type === "event" && item.name === "ProductStatusChanged",
    ) as AbiEvent;
    const topics = encodeEventTopics({ abi: [listed], args: { product: `0x${"11".repeat(20)}` } } as never) as Hex[];
    const log: ChainLog = {
      address: "0x01",
      topics,
      data: `0x${"00".repeat(32)}`,
      block: 7,
      blockHash: "0x02",
      logIndex: 3,
      hash: "0x04",
      time: null,
    };
    expect(decodeLog(log, "vault", 1)).toBeNull();
    expect(decodeLog(log, "product_registry", 1)).not.toBeNull();
  });

  it.each<[emitter: "term" | "vault", signature: string, data: readonly bigint[], event: object]>([
    [
      "term",
      "event ExitedEarly(uint256 indexed id, address indexed owner, uint256 paid)",
      [5n],
      { name: "TermExitedEarly", id: 1n, owner: `0x${"00".repeat(19)}02`, principal: null, paid: 5n },
    ],
    [
      "vault",
      "event LossTakenBack(uint256 assets, int256 settled, uint256 streaming, uint64 streamStart, uint64 streamEnd)",
      [7n, 6n, 5n, 4n, 3n],
      { name: "LossTakenBack", assets: 7n, settled: 6n, streaming: 5n, start: 4, end: 3, lossUntil: 0 },
    ],
  ])("reads the event of a %s that an earlier release deployed: %s", (emitter, signature, data, event) => {
    const item = parseAbiItem(signature) as AbiEvent;
    const indexed = item.inputs
      .filter((input) => input.indexed)
      .map((_, index) => `0x${word(BigInt(index + 1))}` as Hex);
    const log: ChainLog = {
      address: "0x01",
      topics: [toEventSelector(item), ...indexed],
      data: `0x${data.map(word).join("")}`,
      block: 7,
      blockHash: "0x02",
      logIndex: 3,
      hash: "0x04",
      time: null,
    };
    expect(decodeLog(log, emitter, 99)).toEqual({
      ...{ address: "0x01", block: 7, logIndex: 3, hash: "0x04", time: 99 },
      ...event,
    });
  });

  it("reads a time beyond the calendar as never", () => {
    const paused = demandVaultAbi.find((item) => item.type === "event" && item.name === "PausedUntil") as AbiEvent;
    const topics = encodeEventTopics({ abi: [paused] } as never) as Hex[];
    const data = encodeAbiParameters([{ type: "uint64" }], [2n ** 64n - 1n]);
    const log: ChainLog = {
      address: "0x01",
      topics,
      data,
      block: 7,
      blockHash: "0x02",
      logIndex: 3,
      hash: "0x04",
      time: null,
    };
    expect(decodeLog(log, "vault", 1)).toMatchObject({ until: FOREVER });
    expect(Number.isSafeInteger(FOREVER * 1_000)).toBe(true);
  });

  it("rejects a truncated log", () => {
    const deposit = demandVaultAbi.find((item) => item.type === "event" && item.name === "CapChanged") as AbiEvent;
    const topics = encodeEventTopics({ abi: [deposit] } as never) as Hex[];
    const log: ChainLog = {
      address: "0x01",
      topics,
      data: "0x0011",
      block: 7,
      blockHash: "0x02",
      logIndex: 3,
      hash: "0x04",
      time: null,
    };
    expect(() => decodeLog(log, "vault", 1)).toThrow(RangeError);
  });
});
