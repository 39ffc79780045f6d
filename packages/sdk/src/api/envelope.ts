import { z } from "zod";
import { languageCodes } from "../languages.ts";

/** Every error_code of the API with its HTTP status. The documentation of each call says when it occurs. */
export const errorStatus = {
  validation_error: 400,
  code_invalid: 400,
  code_expired: 400,
  login_failed: 401,
  token_error: 401,
  signature_invalid: 401,
  logout_error: 400,
  identity_required: 403,
  confirmation_required: 403,
  second_factor_required: 403,
  /** The operator's token does not allow the call. */
  not_allowed: 403,
  pool_not_found: 404,
  not_found: 404,
  conflict: 409,
  /** A stored row differs from the public log, so nothing is done with it until the operator has checked it. */
  record_differs: 409,
  /** The audit found a stored row that differs, and the answer depends on it. */
  figures_withheld: 409,
  payload_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  chain_unavailable: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorBody = z.object({
  error_code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** Seconds to wait, as in the Retry-After header. Set with `too_many_requests` if the time is known. */
  retry_after: z.number().int().positive().optional(),
  request_id: z.string(),
});
export type ErrorBody = z.infer<typeof errorBody>;

/** `{ "data": … }`, the shape of every success. */
export function envelope<Data extends z.ZodType>(data: Data) {
  return z.object({ data });
}

/** A list answer. `total` counts all matches; `items` is the requested page. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    total: z.number().int().nonnegative(),
    page: z.number().int().positive(),
    page_size: z.number().int().positive(),
  });
}
export interface List<Item> {
  items: Item[];
  total: number;
  page: number;
  page_size: number;
}

export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});

/** Language of product texts. English if it is omitted or if a text has no translation. */
export const lang = z.enum(languageCodes).optional();

/** An amount in whole units as a decimal string: "1250.500000". A profit may be negative. */
export const amount = z.string().regex(/^-?\d+(\.\d+)?$/);
/** A fraction as a decimal string: "0.0525" is 5.25 %. */
export const rate = z.string().regex(/^-?\d+(\.\d+)?$/);
/** Unix milliseconds. */
export const time = z.number().int().nonnegative();
/** An address. Requests may use any letter case; responses use EIP-55. */
export const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "Invalid address");
/** Several addresses, separated by commas. */
export const wallets = z.string().regex(/^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,15}$/, "Invalid address");
export const transactionHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, "Invalid transaction hash");
export const chainId = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const shortId = z.string().regex(/^[a-z0-9-]{1,32}$/, "Invalid product id");

/** Headers of calls that create something. Other headers are allowed. */
export const idempotencyHeaders = z.looseObject({
  "idempotency-key": z
    .string()
    .optional()
    .describe(
      "8 to 200 printable characters: the same key with the same body gets the same answer and no second effect",
    ),
});

/** The block at which a figure was computed. `stale` is true if the chain or the indexer has fallen behind. */
export const asOf = z.object({
  chain_id: z.number().int(),
  block: z.number().int().nonnegative(),
  time,
  stale: z.boolean(),
});
export type AsOf = z.infer<typeof asOf>;
