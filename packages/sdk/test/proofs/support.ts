import fc from "fast-check";

export const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((value) => `0x${Buffer.from(value).toString("hex")}` as const);
const letters = (characters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength });
const safe = fc.maxSafeInteger();
const natural = fc.maxSafeNat();
const positive = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
export const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

const lower = "abcdefghijklmnopqrstuvwxyz0123456789";
export const deviceName = letters(`${lower}-`, 31).filter((name) => !name.startsWith("-"));
export const shortId = letters(`${lower}-`, 31);

export const reading = fc.record({
  device: deviceName,
  seq: positive,
  time: natural,
  metric: letters(`${lower}_`, 31),
  value: int64,
  exponent: fc.integer({ min: -18, max: 18 }),
  prev: hex(32),
});

const signature = fc.oneof(hex(64), hex(65));
export const signedReading = fc
  .tuple(reading, signature, fc.option(fc.record({ by: deviceName, signature }), { nil: undefined }))
  .map(([fields, signature, co_signature]) => ({
    ...fields,
    value: String(fields.value),
    signature,
    ...(co_signature && { co_signature }),
  }));

const plainHeader = fc.record({
  format: fc.constant("aqua-batch-1" as const),
  chain_id: positive,
  contract: hex(20),
  short_id: shortId,
  number: positive,
  previous_head: hex(32),
  root: hex(32),
  from: natural,
  to: natural,
  count: positive,
});
const namedCheckpoint = fc.record({
  origin: letters(`${lower}.:/-`, 40),
  size: natural,
  root: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((root) => Buffer.from(root).toString("base64")),
});

export const batchHeader = fc
  .tuple(plainHeader, fc.option(namedCheckpoint, { nil: undefined }))
  .map(([header, log]) => ({ ...header, ...(log && { log }) }));

export const readingProof = fc.record({
  format: fc.constant("aqua-reading-proof-1" as const),
  reading: signedReading,
  key: fc.record({
    kind: fc.constantFrom("p256" as const, "secp256k1" as const),
    x: hex(32),
    y: hex(32),
    valid_from: natural,
    valid_until: fc.option(natural),
  }),
  leaf: hex(32),
  batch: fc
    .tuple(
      plainHeader,
      fc.record({
        stream: hex(32),
        data_hash: hex(32),
        head: hex(32),
        block: safe,
        block_time: natural,
        hash: hex(32),
        later: fc.array(hex(32), { maxLength: 3 }),
      }),
    )
    .map(([{ format: _, ...header }, rest]) => ({ ...header, ...rest })),
  proof: fc.array(hex(32), { maxLength: 3 }),
});

/** A slightly corrupted `value`: one position is changed, removed or added. */
export function corrupted(value: fc.Arbitrary<object>): fc.Arbitrary<unknown> {
  const strange = fc.constantFrom<unknown>(
    ...[
      null,
      undefined,
      "",
      "0",
      "-0",
      "0x",
      "00",
      "+1",
      "1 ",
      "1.0",
      " ",
      "ABC",
      "é",
      "_",
      "-",
      "a\n",
      `0x${"AB".repeat(32)}`,
    ],
    ...[0, -0, -1, 1, 1.5, -19, 19, 2 ** 53, 2 ** 53 - 1, Number.NaN, Number.POSITIVE_INFINITY, true, false],
    ...[
      [],
      {},
      ["x"],
      [null],
      "a".repeat(31),
      "a".repeat(32),
      "a".repeat(33),
      "9".repeat(19),
      "9".repeat(20),
      `-${"9".repeat(19)}`,
    ],
    ...[
      "aqua-batch-1",
      "p256",
      "aqua-reading-proof-1",
      `${"A".repeat(43)}=`,
      `${"A".repeat(42)}B=`,
      `0x${"ab".repeat(32)}`,
      `0x${"ab".repeat(64)}`,
      `0x${"ab".repeat(20)}`,
    ],
  );
  return fc
    .tuple(value, fc.nat(), fc.constantFrom("put", "leave out", "add"), strange)
    .map(([whole, pick, how, other]) => {
      const copy = structuredClone(whole) as Record<string, unknown>;
      const places = placesIn(copy);
      const place = places[pick % places.length] ?? { holder: copy, name: "format" };
      if (how === "leave out") delete place.holder[place.name];
      else place.holder[how === "add" ? `${place.name}x` : place.name] = other;
      return copy;
    });
}

function placesIn(holder: Record<string, unknown>): { holder: Record<string, unknown>; name: string }[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === "object" && value !== null ? placesIn(value as Record<string, unknown>) : []),
  ]);
}

const units = fc.bigInt({ min: -(2n ** 96n), max: 2n ** 96n }).map(String);
const accounts = fc.record({ supply: units, settled: units, streaming: units, start: natural, end: natural });
const worth = { accounts, units, claimable: units, value: units };
const event = { block: natural, log_index: natural, hash: hex(32), time: natural, ...worth, earned: units };
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 2 });
const decimal = fc.constantFrom("0", "0.10", "-12.5");
const evidence = fc.record({
  document: hex(32),
  metric: fc.record({
    id: fc.constantFrom("energy-sold", "water-sold", "gas-sold"),
    version: fc.constant(1),
    ...{ price: decimal, share: decimal, financed: decimal },
  }),
  batch: positive,
  at_end: accounts,
  devices: fc.array(fc.record({ device: deviceName, first: positive, last: positive, counted: units }), {
    minLength: 1,
    maxLength: 2,
  }),
  counted: units,
  proceeds: units,
  gain: units,
});
const incomeEvent = fc.oneof(
  fc.record({
    kind: fc.constant("report"),
    ...event,
    ...{ from: natural, as_of: natural, delta: units, fee: units, evidence_root: hex(32), before: accounts },
    evidence: fc.option(evidence),
  }),
  fc.record({ kind: fc.constantFrom("loss_taken_back", "loss_restored"), ...event }),
  fc.record({ kind: fc.constantFrom("deposit", "request", "claim"), ...event, shares: units, assets: units }),
);

export const incomeProof = fc.record({
  format: fc.constant("aqua-income-proof-1" as const),
  wallet: hex(20),
  chain_id: positive,
  month: fc.constantFrom("2025-07", "1999-12"),
  from: natural,
  to: natural,
  block: fc.option(natural),
  products: few(
    fc.record({
      short_id: shortId,
      contract: hex(20),
      queue: fc.option(hex(20)),
      telemetry: fc.option(hex(20)),
      symbol: fc.string(),
      decimals: fc.integer({ min: 0, max: 36 }),
      vesting_time: natural,
      opening: fc.option(fc.record(worth)),
      steps: few(incomeEvent),
      closing: fc.record(worth),
      income: units,
      documents: few(fc.record({ hash: hex(32), text: fc.string() })),
      batches: few(
        fc.record({
          ...{ number: positive, previous_head: hex(32), root: hex(32), from: natural, to: natural, count: positive },
          ...{ data_hash: hex(32), head: hex(32), later: few(hex(32)) },
        }),
      ),
      readings: few(
        fc.record({
          reading: signedReading,
          key: fc.record({
            kind: fc.constantFrom("p256" as const, "secp256k1" as const),
            ...{ x: hex(32), y: hex(32), valid_from: natural },
          }),
          batch: positive,
          proof: few(hex(32)),
        }),
      ),
    }),
  ),
});
