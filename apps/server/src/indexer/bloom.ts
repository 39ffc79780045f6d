import { type Hex, hexToBytes, keccak256 } from "viem";

interface Bit {
  byte: number;
  mask: number;
}

/**
 * Returns the three bits of a value in a logs bloom (yellow paper, 4.3.1). Each is a byte index from the left and a
 * mask.
 */
function bitsOf(value: Hex): Bit[] {
  const hash = hexToBytes(keccak256(value));
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
    return { byte: 255 - (bit >> 3), mask: 1 << (bit & 7) };
  });
}

const BITS = 2_048;
const known = new Map<Hex, Bit[]>();

function countBits(bytes: Uint8Array): number {
  let count = 0;
  for (let byte of bytes) for (; byte !== 0; byte &= byte - 1) count += 1;
  return count;
}

/**
 * Classifies the information in a header's bloom about the logs of its block. `nothing`: the block has no logs, or
 * the chain does not fill the bloom in (all zeros or all ones). `little`: more than half of the bits are set, so most
 * addresses match by chance alone. `much`: every other bloom.
 */
export function weightOf(bloom: Hex): "nothing" | "little" | "much" {
  const count = countBits(hexToBytes(bloom));
  if (count === 0 || count === BITS) return "nothing";
  return count > BITS / 2 ? "little" : "much";
}

/**
 * Returns whether a block with this bloom may hold a log of one of these addresses. False is certain. True may be a
 * chance match.
 */
export function mayHoldLogs(bloom: Hex, addresses: readonly Hex[]): boolean {
  if (weightOf(bloom) === "nothing") return false;
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

/**
 * Returns whether these logs set every bit of the bloom. If they do, no log of the block is missing, except logs
 * whose bits other logs set too. Logs may set more bits than the header, as those of Bor's state syncs do.
 */
export function accountFor(bloom: Hex, logs: readonly { address: Hex; topics: readonly Hex[] }[]): boolean {
  const rest = hexToBytes(bloom);
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const { byte, mask } of bitsOf(value)) rest[byte] = (rest[byte] ?? 0) & ~mask;
  }
  return countBits(rest) === 0;
}
