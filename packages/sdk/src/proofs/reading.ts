import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";
import type { SignedReading } from "../api/telemetry.ts";

/** 0x and hex digits, lower case. */
export type HexText = `0x${string}`;

/**
 * One reading of a device. `value` × 10^`exponent` is the figure in the metric's unit. `prev` is the `readingHash` of
 * the device's previous reading (0 before its first), so that a removed or inserted reading is detected.
 */
export interface Reading {
  /** 1 to 31 characters of a–z, 0–9 and "-". */
  device: string;
  /** A number from 1 on. A device that lost readings may skip numbers but never uses one twice. */
  seq: number;
  /** Unix milliseconds by the device's clock. */
  time: number;
  /** One of `metrics`, 1 to 31 characters of a–z, 0–9 and "_". */
  metric: string;
  /** int64. */
  value: bigint;
  /** −18 … 18. */
  exponent: number;
  prev: HexText;
}

export const noReading: HexText = `0x${"0".repeat(64)}`;

const type = "Reading(bytes32 device,uint64 seq,uint64 time,bytes32 metric,int64 value,int8 exponent,bytes32 prev)";
const typeHash = keccak_256(utf8ToBytes(type));
/** EIP-712 without a chain id, because a reading is valid on whichever chain it is anchored. */
const domainSeparator = keccak_256(
  concatBytes(
    keccak_256(utf8ToBytes("EIP712Domain(string name,string version)")),
    keccak_256(utf8ToBytes("Aqua telemetry")),
    keccak_256(utf8ToBytes("1")),
  ),
);

const namePattern = /^[a-z0-9][a-z0-9-]{0,30}$/;
const metricPattern = /^[a-z0-9_]{1,31}$/;
const hashPattern = /^0x[0-9a-f]{64}$/;
const maxInt64 = 2n ** 63n;

/** A signed reading in the form that `encodeReading` takes. The argument must match `signedReading`. */
export function readingOf({ device, seq, time, metric, value, exponent, prev }: SignedReading): Reading {
  return { device, seq, time, metric, value: BigInt(value), exponent, prev: prev as HexText };
}

/**
 * The name of a device, metric or stream (at most 31 ASCII characters) as bytes32 padded with zeros, like Solidity's
 * `bytes32("name")`. RangeError for any other name.
 * @example nameWord("a").length // 32
 */
export function nameWord(name: string): Uint8Array {
  const word = new Uint8Array(32);
  if (name.length === 0 || name.length > 31) throw new RangeError(`"${name}" does not have 1 to 31 characters`);
  for (let index = 0; index < name.length; index++) {
    const code = name.charCodeAt(index);
    if (code < 0x21 || code > 0x7e) throw new RangeError(`"${name}" is not printable ASCII`);
    word[index] = code;
  }
  return word;
}

/**
 * `nameWord` as hex text.
 * @example nameHex("alps-hydro") // "0x616c70732d687964726f00000000000000000000000000000000000000000000"
 */
export function nameHex(name: string): HexText {
  return toHex(nameWord(name));
}

/**
 * The canonical encoding in 256 bytes: the type hash and the seven fields, one word of 32 bytes each, laid out as by
 * `abi.encode`. P-256 keys sign its SHA-256.
 * @throws RangeError that names the field that is out of its range
 */
export function encodeReading(reading: Reading): Uint8Array {
  const { device, seq, time, metric, value, exponent, prev } = reading;
  if (!namePattern.test(device)) throw new RangeError("device is not a name of 1 to 31 of a–z, 0–9 and -");
  if (!metricPattern.test(metric)) throw new RangeError("metric is not a name of 1 to 31 of a–z, 0–9 and _");
  if (!Number.isSafeInteger(seq) || seq < 1) throw new RangeError("seq is not a whole number of at least 1");
  if (!Number.isSafeInteger(time) || time < 0) throw new RangeError("time is not Unix milliseconds");
  if (value >= maxInt64 || value < -maxInt64) throw new RangeError("value does not fit into 64 bits");
  if (!Number.isInteger(exponent) || exponent < -18 || exponent > 18)
    throw new RangeError("exponent is not from −18 to 18");
  if (!hashPattern.test(prev)) throw new RangeError("prev is not 0x and 64 hex digits in lower case");
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  bytes.set(typeHash, 0);
  bytes.set(nameWord(device), 32);
  view.setBigUint64(88, BigInt(seq));
  view.setBigUint64(120, BigInt(time));
  bytes.set(nameWord(metric), 128);
  if (value < 0n) bytes.fill(0xff, 160, 184);
  view.setBigInt64(184, value);
  if (exponent < 0) bytes.fill(0xff, 192, 223);
  view.setInt8(223, exponent);
  bytes.set(fromHex(prev), 224);
  return bytes;
}

/**
 * keccak-256 of the encoding: the EIP-712 struct hash. The next reading names it as `prev`, and its hash is the leaf.
 */
export function readingHash(encoding: Uint8Array): Uint8Array {
  return keccak_256(encoding);
}

/** The digest that a secp256k1 key signs: EIP-712 of the reading. */
export function typedDigest(hash: Uint8Array): Uint8Array {
  return keccak_256(concatBytes(Uint8Array.of(0x19, 0x01), domainSeparator, hash));
}

/**
 * The leaf of the batch's Merkle tree. It is hashed twice, as in OpenZeppelin's standard tree.
 * @example leafOf(new Uint8Array(32)).length // 32
 */
export function leafOf(hash: Uint8Array): Uint8Array {
  return keccak_256(hash);
}

/**
 * An unsigned number as a word of 32 bytes.
 * @throws RangeError below 0, and above the largest integer that a double represents exactly
 * @example numberWord(258).slice(30) // Uint8Array [1, 2]
 */
export function numberWord(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not a whole number of at least 0`);
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setBigUint64(24, BigInt(value));
  return bytes;
}

/**
 * Bytes as hex text with 0x.
 * @example toHex(new Uint8Array([1, 255])) // "0x01ff"
 */
export function toHex(bytes: Uint8Array): HexText {
  return `0x${bytesToHex(bytes)}`;
}

/**
 * The bytes of a hex text with 0x.
 * @example fromHex("0x01ff") // Uint8Array [1, 255]
 */
export function fromHex(text: string): Uint8Array {
  return hexToBytes(text.slice(2));
}
