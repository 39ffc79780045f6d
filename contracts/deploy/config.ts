import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { DAY, YEAR } from "@aqua/sdk/durations";
import { parseUnits } from "@aqua/sdk/maths/units";
import { type Address, getAddress, type Hex, isAddress, keccak256, zeroAddress } from "viem";
import { z } from "zod";
import { documentFault } from "./documentFault.ts";
import { type Role, roles } from "./roles.ts";
import { DeployError } from "./steps.ts";

const LONGEST_REPORT_AGE = 45 * DAY;
/** Seconds: how far after the time of its block a contract accepts the end of evidence. Source: _LONGEST_EVIDENCE. */
export const LONGEST_EVIDENCE = 400 * DAY;
export const LOCAL_CHAIN_ID = 31337;

const address = z
  // Checks the mixed-case checksum too, where there is one.
  .string()
  .refine((text) => isAddress(text), "must be an address, 0x and 40 hex digits; mixed case must be its checksum")
  .transform((text) => getAddress(text))
  .refine((value) => value !== zeroAddress, "must not be the zero address");

const amount = z.string().regex(/^\d+(\.\d+)?$/, 'must be whole tokens as a decimal text, such as "1500000"');

/** A percentage as a decimal text → a fraction with 18 decimals. */
const percent = (most: number) =>
  z
    .string()
    .regex(/^\d{1,4}(\.\d{1,16})?$/, 'must be a percentage as a decimal text, such as "7.5"')
    .transform((text) => parseUnits(text, 16))
    .refine((value) => value <= BigInt(most) * 10n ** 16n, `must be at most ${most}`);

/** The fields that both types of product have. */
const shared = {
  short_id: z.string().regex(/^[a-z0-9-]{1,32}$/, "must have 1 to 32 characters of a–z, 0–9 and -"),
  share_name: z.string().min(1).max(64),
  share_symbol: z.string().min(1).max(16),
  cap: amount,
  min_deposit: amount,
  /** Until when the product's evidence is valid at first; null for a product without devices, whose reports name none. */
  evidence_until: z.iso
    .datetime(
      'must say until when the evidence is valid, as "2027-06-30T00:00:00Z" does, or be null for a product without devices',
    )
    .nullable(),
};

/** The fields by which a configuration of a chain names a product's asset and document. */
const named = {
  asset: z.string(),
  /** The product's document, a path as seen from the configuration; the registry keeps the hash of its bytes. */
  document: z.string().optional(),
  document_hash: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/i, "must be 0x and 64 hex digits")
    .optional(),
};

/** A demand deposit without its asset and document. */
export const demandDeposit = z.strictObject({
  type: z.literal("demand_deposit"),
  ...shared,
  // Permits are signed for this name, and the contract keeps it in one word.
  share_name: shared.share_name.refine((text) => Buffer.byteLength(text) <= 31, "must have at most 31 bytes"),
  vesting_seconds: z.int().min(1).max(YEAR),
  max_report_age_seconds: z.int().min(1).max(LONGEST_REPORT_AGE),
  max_gain_percent_per_year: percent(1000),
  custodian: address.optional(),
  buffer_percent: percent(100).optional(),
  treasury: address.optional(),
  fee_percent: percent(30).optional(),
});

export const termUnits = ["day", "week", "month", "year"] as const;
/** The most of each that surely lasts no longer than ten years, which is all the contract takes. */
const mostUnits = { day: 3652, week: 521, month: 120, year: 10 } as const;
/** The most days that a unit has. */
const daysOf = { day: 1, week: 7, month: 31, year: 366 } as const;
/** Twice the principal is the most interest that the contract takes, in days times 18 decimals. */
const mostInterest = 2n * 365n * 10n ** 18n;

const term = z
  .strictObject({
    count: z.int().min(1),
    unit: z.enum(termUnits),
    rate_percent: percent(100).refine((value) => value > 0n, "must be above 0"),
    break_rate_percent: percent(100),
    penalty_percent: percent(10),
    cap: amount,
    open: z.boolean(),
  })
  .refine((it) => it.count <= mostUnits[it.unit], { path: ["count"], error: "is longer than ten years" })
  .refine((it) => it.rate_percent * BigInt(it.count * daysOf[it.unit]) <= mostInterest, {
    path: ["rate_percent"],
    error: "earns more than twice the principal",
  })
  .refine((it) => it.break_rate_percent < it.rate_percent, {
    path: ["break_rate_percent"],
    error: "must be below rate_percent",
  });

/** A time deposit without its asset and document. */
export const timeDeposit = z.strictObject({
  type: z.literal("time_deposit"),
  ...shared,
  custodian: address,
  buffer_percent: percent(100),
  terms: z.array(term).min(1),
});

export const chainId = z.int().min(1);
/** Contracts of one salt, deployer and configuration have the same address on every chain. */
export const salt = z.string().min(1).max(64).default("aqua");
/** The local chain's play money, or a token: exits round down to its smallest unit, so this unit must be worth little. */
export const asset = z.union([
  z.literal("test_dollar"),
  z.strictObject({ address, symbol: z.string().min(1), decimals: z.int().min(2).max(36) }),
]);

const file = z.strictObject({
  chain_id: chainId,
  salt,
  roles: z.strictObject({
    owner: z.strictObject({
      address,
      delay_seconds: z.int().min(0).max(YEAR),
    }),
    guardian: address,
    reporter: address,
    treasurer: address,
    attester: address,
    anchorer: address,
    registrar: address,
    confirmer: address,
  }),
  assets: z.record(z.string().min(1), asset),
  products: z.array(z.discriminatedUnion("type", [demandDeposit.extend(named), timeDeposit.extend(named)])),
});
type File = z.infer<typeof file>;

/** An asset of products: one that is there, or the local chain's play money, which is deployed too. */
export type Asset = { address: Address; symbol: string; decimals: number } | "test_dollar";

interface Product {
  shortId: string;
  asset: Asset;
  shareName: string;
  shareSymbol: string;
  /** Smallest units. */
  cap: bigint;
  minDeposit: bigint;
  documentHash: Hex;
  /** Unix seconds; 0 for a product without devices. */
  evidenceUntil: bigint;
}

/** Ratios and rates have 18 decimals. */
export interface DemandProduct extends Product {
  type: "demand_deposit";
  vestingTime: bigint;
  maxReportAge: bigint;
  maxRate: bigint;
  custodian: { address: Address; buffer: bigint } | null;
  treasury: { address: Address; fee: bigint } | null;
}

export interface Term {
  count: number;
  /** As the contract counts them: 0 day, 1 week, 2 month, 3 year. */
  unit: number;
  rate: bigint;
  breakRate: bigint;
  penalty: bigint;
  cap: bigint;
  open: boolean;
}

export interface TimeProduct extends Product {
  type: "time_deposit";
  custodian: Address;
  buffer: bigint;
  terms: readonly Term[];
}

export interface DeployConfig {
  chainId: number;
  salt: string;
  holders: Record<Role, { address: Address; delay: number }>;
  products: readonly (DemandProduct | TimeProduct)[];
}

export const assetDecimals = (asset: Asset) => (asset === "test_dollar" ? 6 : asset.decimals);

/** An error of a configuration, and the path of the field it is about. */
export class ConfigFault extends DeployError {
  constructor(
    readonly path: readonly (string | number)[],
    readonly words: string,
  ) {
    super(`${path.join(".")}: ${words}`);
  }
}

/** Reads and checks a configuration. @throws DeployError that names the first wrong place */
export async function readConfig(path: string): Promise<DeployConfig> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new DeployError(`${path} cannot be read: ${error.code}`);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new DeployError(`${path} is no JSON: ${(error as Error).message}`);
  }
  const parsed = file.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DeployError(`${path}: ${issue?.path.join(".") || "the file"}: ${issue?.message}`);
  }
  try {
    return await configOf(parsed.data, dirname(path));
  } catch (error) {
    throw error instanceof DeployError ? new DeployError(`${path}: ${error.message}`) : error;
  }
}

async function configOf(data: File, folder: string): Promise<DeployConfig> {
  const { owner, ...others } = data.roles;
  const holders = Object.fromEntries(
    roles.map((role) => [
      role,
      role === "owner" ? { address: owner.address, delay: owner.delay_seconds } : { address: others[role], delay: 0 },
    ]),
  ) as DeployConfig["holders"];
  const products: (DemandProduct | TimeProduct)[] = [];
  for (const [index, product] of data.products.entries()) {
    const place = ["products", index];
    if (products.some(({ shortId }) => shortId === product.short_id)) {
      throw new ConfigFault([...place, "short_id"], `${product.short_id} is there twice`);
    }
    const asset = data.assets[product.asset];
    if (asset === undefined) throw new ConfigFault([...place, "asset"], `there is no asset "${product.asset}"`);
    checkPlayMoney(asset, data.chain_id, ["assets", product.asset]);
    const hash = await documentHash(product, place.join("."), folder);
    products.push(withPlace(place, () => productOf(product, asset, hash)));
  }
  return { chainId: data.chain_id, salt: data.salt, holders, products };
}

/** @throws ConfigFault for play money on a chain that is not the local one */
export function checkPlayMoney(asset: Asset, chainId: number, path: readonly (string | number)[]): void {
  if (asset === "test_dollar" && chainId !== LOCAL_CHAIN_ID)
    throw new ConfigFault(path, `play money exists on the local chain ${LOCAL_CHAIN_ID} alone`);
}

function withPlace<T>(place: readonly (string | number)[], work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigFault ? new ConfigFault([...place, ...error.path], error.words) : error;
  }
}

/** A product's fields in the units of the contracts. @throws ConfigFault with a path within the product */
export function productOf(
  product: z.output<typeof demandDeposit> | z.output<typeof timeDeposit>,
  asset: Asset,
  documentHash: Hex,
): DemandProduct | TimeProduct {
  const units = (text: string, path: (string | number)[], bits: number): bigint => {
    let value: bigint;
    try {
      value = parseUnits(text, assetDecimals(asset));
    } catch {
      throw new ConfigFault(path, `the asset has ${assetDecimals(asset)} decimals`);
    }
    if (value >= 1n << BigInt(bits)) throw new ConfigFault(path, "is more than the contract can hold");
    return value;
  };
  const base = {
    shortId: product.short_id,
    asset,
    shareName: product.share_name,
    shareSymbol: product.share_symbol,
    documentHash,
    evidenceUntil: product.evidence_until === null ? 0n : BigInt(Date.parse(product.evidence_until)) / 1_000n,
  };
  if (product.type === "time_deposit") {
    return {
      type: product.type,
      ...base,
      custodian: product.custodian,
      buffer: product.buffer_percent,
      cap: units(product.cap, ["cap"], 104),
      minDeposit: units(product.min_deposit, ["min_deposit"], 104),
      terms: product.terms.map((it, index) => ({
        count: it.count,
        unit: termUnits.indexOf(it.unit),
        open: it.open,
        rate: it.rate_percent,
        breakRate: it.break_rate_percent,
        penalty: it.penalty_percent,
        cap: units(it.cap, ["terms", index, "cap"], 104),
      })),
    };
  }
  const { custodian, buffer_percent: buffer, treasury, fee_percent: fee } = product;
  if ((custodian === undefined) !== (buffer === undefined)) {
    throw new ConfigFault([], "custodian and buffer_percent go together");
  }
  if ((treasury === undefined) !== (fee === undefined)) {
    throw new ConfigFault([], "treasury and fee_percent go together");
  }
  return {
    type: product.type,
    ...base,
    cap: units(product.cap, ["cap"], 96),
    minDeposit: units(product.min_deposit, ["min_deposit"], 80),
    vestingTime: BigInt(product.vesting_seconds),
    maxReportAge: BigInt(product.max_report_age_seconds),
    maxRate: product.max_gain_percent_per_year,
    custodian: custodian === undefined || buffer === undefined ? null : { address: custodian, buffer },
    treasury: treasury === undefined || fee === undefined ? null : { address: treasury, fee },
  };
}

async function documentHash(product: File["products"][number], place: string, folder: string): Promise<Hex> {
  const { document, document_hash: hash } = product;
  if (document === undefined) {
    if (hash === undefined) throw new DeployError(`${place}: document or document_hash must be given`);
    return hash.toLowerCase() as Hex;
  }
  const found = await readFile(resolve(folder, document)).catch((error: NodeJS.ErrnoException) => {
    throw new DeployError(`${place}.document: ${document} cannot be read: ${error.code}`);
  });
  const fault = documentFault(found.toString("utf8"), product.short_id);
  if (fault !== null) throw new DeployError(`${place}.document: ${document}${fault}`);
  const computed = keccak256(found);
  if (hash !== undefined && hash.toLowerCase() !== computed) {
    throw new DeployError(`${place}.document_hash: the document's hash is ${computed}`);
  }
  return computed;
}
