import { type SignedReading, signedReading } from "@aqua/sdk/api/telemetry";
import { isSignedReading } from "@aqua/sdk/proofs/form";
import { encodeReading, type HexText, type Reading, readingHash, toHex } from "@aqua/sdk/proofs/reading";

/** A well-formed reading, with the values derived from its content alone. */
export interface FormedReading extends Reading, Pick<SignedReading, "co_signature"> {
  encoding: Uint8Array;
  hash: HexText;
  signature: HexText;
}

/** Parses what a device sent. Returns a message with the fault if it is not a reading. */
export function readForm(sent: unknown): FormedReading | string {
  // The fast check only accepts or rejects. The full parse runs only for rejected input, to find the reason.
  if (isSignedReading(sent)) return formOf(sent);
  const [issue] = signedReading.safeParse(sent).error?.issues ?? [];
  const where = issue?.path.join(".");
  return `${where || "This is no reading"}: ${issue?.message}`.slice(0, 200);
}

/** Returns a message if a field is out of range. */
export function formOf(sent: SignedReading): FormedReading | string {
  const reading = { ...sent, value: BigInt(sent.value), prev: sent.prev as HexText };
  try {
    const encoding = encodeReading(reading);
    let hash: HexText | null = null;
    return {
      ...reading,
      encoding,
      signature: sent.signature as HexText,
      // The hash is computed only when it is needed, because it costs more than the rest of the form. A forged
      // reading never needs it.
      get hash() {
        hash ??= toHex(readingHash(encoding));
        return hash;
      },
    };
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}
