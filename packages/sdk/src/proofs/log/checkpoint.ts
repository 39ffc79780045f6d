import { ed25519 } from "@noble/curves/ed25519";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils";
import { LogFormatError } from "./tree.ts";

/** What the operator of a log states of it at a moment: C2SP tlog-checkpoint. */
export interface Checkpoint {
  /** The log's name, such as "aqua.example/log". */
  origin: string;
  /** The number of entries. */
  size: number;
  /** The root of the tree of these entries. */
  root: Uint8Array;
}

/** The algorithm's number in a signed note. */
const ed25519Algorithm = 1;
const signatureStart = "— ";

/** The public key of a seed of 32 bytes (RFC 8032). */
export function publicKeyOf(seed: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(seed);
}

/**
 * The text of a key that checks signed notes: name, hash and key, as Go's package sumdb/note writes it.
 * @throws RangeError if `name` is empty or holds a space or "+"
 */
export function verifierKey(name: string, publicKey: Uint8Array): string {
  return `${name}+${bytesToHex(keyHash(name, publicKey))}+${toBase64(keyBytes(publicKey))}`;
}

/**
 * Signs a text as a C2SP signed note. The text must end with a line break.
 * @throws RangeError if it does not, or if `name` is empty or holds a space or "+"
 */
export function signNote(text: string, name: string, seed: Uint8Array): string {
  if (!text.endsWith("\n")) throw new RangeError("The text of a note ends with a line break");
  const signature = ed25519.sign(utf8ToBytes(text), seed);
  const line = toBase64(concatBytes(keyHash(name, publicKeyOf(seed)), signature));
  return `${text}\n${signatureStart}${name} ${line}\n`;
}

/**
 * The text of a signed note. Signatures of other keys are allowed and not checked.
 * @throws LogFormatError if the key or the note is malformed, or if the key did not sign the note
 */
export function openNote(note: string, key: string): string {
  const { name, publicKey } = parseVerifierKey(key);
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || !note.endsWith("\n")) throw new LogFormatError("It is not a signed note");
  const text = note.slice(0, end + 1);
  const hash = bytesToHex(keyHash(name, publicKey));
  let isSigned = false;
  for (const line of note.slice(end + 2, -1).split("\n")) {
    const [, signer, base64 = ""] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(base64);
    if (signer === undefined || bytes === null || bytes.length < 5) throw new LogFormatError("It is not a signed note");
    if (signer !== name || bytesToHex(bytes.subarray(0, 4)) !== hash) continue;
    if (!isSignature(bytes.subarray(4), text, publicKey)) throw new LogFormatError(`The signature of ${name} is wrong`);
    isSigned = true;
  }
  if (!isSigned) throw new LogFormatError(`The key ${key} did not sign it`);
  return text;
}

/**
 * The signed text of a checkpoint. The key's name is the log's origin.
 * @throws RangeError if the origin is no name of a key, the size no safe integer from 0 on, or the root not 32 bytes
 */
export function signCheckpoint({ origin, size, root }: Checkpoint, seed: Uint8Array): string {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`A log has no size of ${size}`);
  if (root.length !== 32) throw new RangeError("A root is 32 bytes");
  return signNote(`${origin}\n${size}\n${toBase64(root)}\n`, origin, seed);
}

/**
 * Parses a checkpoint and checks its signature. The key's name must be the log's origin.
 * @throws LogFormatError if the checkpoint or the key is malformed, or if the key did not sign the checkpoint
 */
export function openCheckpoint(text: string, key: string): Checkpoint {
  const { name } = parseVerifierKey(key);
  const [, origin, digits, base64 = ""] = /^([^\n]+)\n(0|[1-9]\d{0,15})\n(\S+)\n$/.exec(openNote(text, key)) ?? [];
  const size = Number(digits);
  const root = fromBase64(base64);
  if (origin === undefined || !Number.isSafeInteger(size) || root?.length !== 32) {
    throw new LogFormatError("It is not a checkpoint");
  }
  if (origin !== name) throw new LogFormatError(`It is a checkpoint of ${origin}, not of ${name}`);
  return { origin, size, root };
}

/**
 * The name and the key of a verifier key's text.
 * @throws LogFormatError if the text is not as `verifierKey` writes it
 */
export function parseVerifierKey(key: string): { name: string; publicKey: Uint8Array } {
  const [, name, hash, base64 = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(key) ?? [];
  const bytes = fromBase64(base64);
  if (name === undefined || bytes?.length !== 33 || bytes[0] !== ed25519Algorithm) {
    throw new LogFormatError(`"${key}" is not the key of a log`);
  }
  const publicKey = bytes.subarray(1);
  if (bytesToHex(keyHash(name, publicKey)) !== hash) throw new LogFormatError(`"${key}" has a wrong hash`);
  return { name, publicKey };
}

function keyHash(name: string, publicKey: Uint8Array): Uint8Array {
  if (!/^[^\s+]+$/.test(name)) throw new RangeError(`"${name}" cannot be the name of a key`);
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), keyBytes(publicKey))).subarray(0, 4);
}

function keyBytes(publicKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(ed25519Algorithm), publicKey);
}

function isSignature(signature: Uint8Array, text: string, publicKey: Uint8Array): boolean {
  if (signature.length !== 64) return false;
  try {
    return ed25519.verify(signature, utf8ToBytes(text), publicKey, { zip215: false });
  } catch {
    // The key or the signature is no point of the curve.
    return false;
  }
}

/**
 * Base64 with padding.
 * @example toBase64(Uint8Array.of(255)) // "/w=="
 */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/**
 * The bytes of a text that `toBase64` writes. Null for any other text.
 * @example fromBase64("/x==") // null
 */
export function fromBase64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : null;
  } catch {
    return null;
  }
}
