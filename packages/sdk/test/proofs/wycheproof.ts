import { readFileSync } from "node:fs";

/** P-256 with SHA-256, signatures as r ‖ s: Project Wycheproof's own cases, bytes as 0x… hex. */
export interface WycheproofCase {
  name: string;
  x: string;
  y: string;
  message: string;
  signature: string;
  /** What the curve says. Signatures of other lengths than 64 bytes, which it leaves to the reader, are none here. */
  onCurve: boolean;
  /** What readings must have beside it: `s` in the lower half. */
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

/** The other signature (r, n − s) the same key has for the same message, in the lower half. */
export function lowered({ signature }: WycheproofCase): string {
  const s = order - BigInt(`0x${signature.slice(66)}`);
  return signature.slice(0, 66) + s.toString(16).padStart(64, "0");
}
