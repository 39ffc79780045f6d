import { type Hex, hexToBytes, keccak256 } from "viem";

/** The three bits of a value in a logs bloom (yellow paper, 4.3.1), as byte from the left and mask. */
function bitsOf(value: Hex): { byte: number; mask: number }[] {
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return { byte: 255 - (bit >> 3), mask: 1 << (bit & 7) };
  });
}

const known = new Map<Hex, { byte: number; mask: number }[]>();

/**
 * Whether a block with this bloom may hold a log of one of these addresses. False is certain; true may be chance. A
 * bloom of all zeros also comes from chains that do not fill it in, and says nothing.
 */
export function mayHoldLogs(bloom: Hex, addresses: readonly Hex[]): boolean {
  const bytes = hexToBytes(bloom);
  return addresses.some((address) => {
    let bits = known.get(address);
    if (!bits) {
      bits = bitsOf(address);
      known.set(address, bits);
    }
    return bits.every(({ byte, mask }) => ((bytes[byte] ?? 0) & mask) !== 0);
  });
}
