import { keccak_256 } from "@noble/hashes/sha3";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils";
import { base64Hash, type Check, deviceName, fields, hash, listOf, oneOf, optional, text, whole } from "../form.ts";
import { fromHex, type HexText, toHex } from "../reading.ts";
import { LogFormatError } from "./tree.ts";

/** The kinds of entries. `account` is private: its subject and content are keyed hashes. */
export const logKinds = [
  "device",
  "device_interval",
  "declared_loss",
  "product_document",
  "account",
  "operators",
  "operator",
  "look",
  "act",
  "restore",
] as const;
export type LogKind = (typeof logKinds)[number];

/** A call of the operator's API and the signature of the operator who made it. */
export interface OperatorAct {
  /** Method and path below /api/v2/, such as "POST operator/devices". */
  call: string;
  /** The body as it was sent. Null if it is about a person. */
  body: string | null;
  /** Hides the body behind the commitment. Null if the body is. */
  nonce: string | null;
  /** `actCommitment` of the nonce and the body. */
  commitment: string;
  /** The operator's clock, Unix milliseconds. */
  time: number;
  /** Address in lower case. */
  operator: string;
  /** EIP-712 signature of `operatorAct`: 65 bytes as hex. */
  signature: string;
}

/** A change of what the server decides. The fields are in the order in which they are written. */
export interface LogEntry {
  /** UUID. */
  id: string;
  /** The server's clock, Unix milliseconds. */
  time: number;
  kind: LogKind;
  /** What is changed, such as the name of a device. */
  subject: string;
  /** 1 for the first entry of this kind and subject, then one more for each. */
  version: number;
  /** The state after the change. Null if the subject no longer exists. */
  content: Readonly<Record<string, unknown>> | null;
  /** Null for a change that the server makes by itself, or that a token alone allowed. */
  act: OperatorAct | null;
  /** The name of the operator whose token was used, where it is not the instance's own. The server claims this. */
  by?: string | undefined;
  /** Why the operator made the call, as the operator says. Covered by the signature of an act. */
  reason?: string | undefined;
}

const nullOr =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const anyText: Check = (value) => typeof value === "string";
const lowerAddress = text(/^0x[0-9a-f]{40}$/);

const act = fields(
  {
    call: text(/^POST operator\/\S+$/),
    body: nullOr(anyText),
    nonce: nullOr(hash),
    commitment: hash,
    time: whole(0),
    operator: lowerAddress,
    signature: text(/^0x[0-9a-f]{130}$/),
  },
  true,
);
const entry = fields(
  {
    id: text(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    time: whole(0),
    kind: oneOf(...logKinds),
    subject: text(/./),
    version: whole(1),
    content: nullOr(fields({})),
    act: nullOr(act),
    by: optional(deviceName),
    reason: optional(text(/./)),
  },
  true,
);
/** The kinds of entries whose content a verifier of the log relies on. */
const contents: Partial<Record<LogKind, Check>> = {
  operators: fields({ keys: listOf(lowerAddress) }, true),
  restore: fields({ size: whole(0), root: base64Hash, reason: anyText }, true),
};

const isLogEntry = (value: unknown): value is LogEntry =>
  entry(value) && (contents[(value as LogEntry).kind]?.((value as LogEntry).content) ?? true);

/**
 * The bytes of an entry: one JSON object without spaces, its fields and those of the act in order, as UTF-8. The fields
 * of the content keep their order.
 */
export function writeEntry(entry: LogEntry): Uint8Array {
  const { id, time, kind, subject, version, content, act, by, reason } = entry;
  const ordered = { id, time, kind, subject, version, content, act: act && orderedAct(act), by, reason };
  return utf8ToBytes(JSON.stringify(ordered));
}

function orderedAct({ call, body, nonce, commitment, time, operator, signature }: OperatorAct): OperatorAct {
  return { call, body, nonce, commitment, time, operator, signature };
}

/**
 * Parses an entry and requires each byte to be as `writeEntry` writes it. Does not check the act; the verifier of the
 * log does.
 * @throws LogFormatError if it is not
 */
export function readEntry(bytes: Uint8Array): LogEntry {
  let value: unknown;
  let json: string;
  try {
    json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    value = JSON.parse(json);
  } catch {
    throw new LogFormatError("An entry is not JSON");
  }
  if (!isLogEntry(value)) throw new LogFormatError("An entry does not have the form of an entry");
  if (new TextDecoder().decode(writeEntry(value)) !== json)
    throw new LogFormatError("An entry is not in its canonical form");
  return value;
}

/** keccak-256 of the nonce (32 bytes as hex) and the body: hides the body from everybody who lacks the nonce. */
export function actCommitment(nonce: string, body: Uint8Array | string): HexText {
  return toHex(keccak_256(concatBytes(fromHex(nonce), typeof body === "string" ? utf8ToBytes(body) : body)));
}

const operatorActDomain = { name: "Aqua operator act", version: "1" } as const;
const actFields: readonly { name: string; type: string }[] = [
  { name: "site", type: "string" },
  { name: "call", type: "string" },
  { name: "commitment", type: "bytes32" },
  { name: "time", type: "uint64" },
];

/**
 * The EIP-712 message of an act at the log with the origin `site`, in the form that viem signs and recovers. Only an act
 * with a reason has the field `reason`, so that a reason can be neither added nor removed later.
 */
export function operatorAct({
  site,
  call,
  commitment,
  time,
  reason,
}: Pick<OperatorAct, "call" | "commitment" | "time"> & { site: string; reason?: string | undefined }) {
  return {
    domain: operatorActDomain,
    types: { Act: reason === undefined ? actFields : [...actFields, { name: "reason", type: "string" }] },
    primaryType: "Act",
    message: {
      site,
      call,
      commitment: commitment as HexText,
      time: BigInt(time),
      ...(reason !== undefined && { reason }),
    },
  } as const;
}
