import { type SignedReading, signedReading } from "@aqua/sdk/api/telemetry";
import { isSignedReading } from "@aqua/sdk/proofs/form";
import { encodeReading, type HexText, type Reading, readingHash, toHex } from "@aqua/sdk/proofs/reading";

/** A reading that has the right form, and what follows from its content alone. */
export interface FormedReading extends Reading, Pick<SignedReading, "co_signature"> {
  encoding: Uint8Array;
  hash: HexText;
  signature: HexText;
}

/** Reads what a device sent; words that say what is wrong with it when it is no reading. */
export function readForm(sent: unknown): FormedReading | string {
  // The quick check says no more than whether; only what fails it is asked why.
  if (isSignedReading(sent)) return formOf(sent);
  const [issue] = signedReading.safeParse(sent).error?.issues ?? [];
  const where = issue?.path.join(".");
  return `${where || "This is no reading"}: ${issue?.message}`.slice(0, 200);
}

/** Words when a field is out of its range. */
export function formOf(sent: SignedReading): FormedReading | string {
  const reading = { ...sent, value: BigInt(sent.value), prev: sent.prev as HexText };
  try {
    const encoding = encodeReading(reading);
    let hash: HexText | null = null;
    return {
      ...reading,
      encoding,
      signature: sent.signature as HexText,
      // Worked out when it is wanted: of a forged reading it never is, and it costs more than all the rest of the form.
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
