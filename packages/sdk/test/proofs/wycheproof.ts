import { readFileSync } from "node:fs";

/** Project Wycheproof's own cases for P-256 with SHA-256, signatures as r ‖ s, bytes as 0x… hex. */
export interface WycheproofCase {
  name: string;
  x: string;
  y: string;
  message: string;
  signature: string;
  /**
   * Valid on the curve. Signatures that are not 64 bytes long, which the curve leaves to the reader, are invalid here.
   */
  onCurve: boolean;
  /** The additional requirement of readings: `s` in the lower half. */
  lowS: boolean;
}

interface Group {
  key: { uncompressed: string };
  tests: { tcId: number; comment: string; msg: string; sig: string; result: "valid" | "invalid" | "acceptable" }[];
}

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const file = new URL("./wycheproof/ecdsa_secp256r1_sha256_p1363_test.json", import.meta.url);
const { testGroups } = JSON.parse(readFileSync(file, "utf8")) as { testGroups: Group[] };

export const wycheproofCases: readonly WycheproofCase[] = testGroups.flatMap(({ key, tests }) =>
  tests.map(({ tcId, comment, msg, sig, result }) => ({
    name: `${tcId} ${comment}`,
    x: `0x${key.uncompressed.slice(2, 66)}`,
    y: `0x${key.uncompressed.slice(66)}`,
    message: `0x${msg}`,
    signature: `0x${sig}`,
    onCurve: result === "valid",
    lowS: sig.length === 128 && BigInt(`0x${sig.slice(64)}`) <= order / 2n,
  })),
);

/** The equivalent signature (r, n − s) of the same key and message, in the lower half. */
export function lowered({ signature }: WycheproofCase): string {
  const s = order - BigInt(`0x${signature.slice(66)}`);
  return signature.slice(0, 66) + s.toString(16).padStart(64, "0");
}
