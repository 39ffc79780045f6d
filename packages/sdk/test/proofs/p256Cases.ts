import { createHash } from "node:crypto";
import { concatBytes, numberToBytesBE } from "@noble/curves/abstract/utils";
import { p256 } from "@noble/curves/nist";
import { secp256k1 } from "@noble/curves/secp256k1";
import { utf8ToBytes } from "@noble/hashes/utils";

/**
 * Signatures at the edges, in the classes that Google's Wycheproof project has for P-256 in the form r ‖ s, in addition
 * to its own (`wycheproof.ts`). Where the private key does not matter, r and s are chosen first and the key for which
 * they are valid is computed from them, so that any pair of numbers can be a valid signature.
 */
export interface Case {
  name: string;
  x: Uint8Array;
  y: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
  /** Valid for readings, which require `s` in the lower half. */
  valid: boolean;
  /** Valid on the curve alone, where that differs. */
  curve?: boolean;
}

const { n, p } = p256.CURVE as unknown as { n: bigint; p: bigint };
const half = n / 2n;
const { BASE } = p256.ProjectivePoint;
type Point = typeof BASE;

const mod = (value: bigint) => ((value % n) + n) % n;
function inverse(value: bigint): bigint {
  let [a, b, u, v] = [mod(value), n, 1n, 0n];
  while (a !== 0n) {
    const quotient = b / a;
    [a, b, u, v] = [b - quotient * a, a, v - quotient * u, u];
  }
  return mod(v);
}
const bytes = (value: bigint) => numberToBytesBE(value, 32);
const pair = (r: bigint, s: bigint) => concatBytes(bytes(r), bytes(s));
const low = (s: bigint) => (s > half ? n - s : s);
const digestOf = (message: Uint8Array) => BigInt(`0x${createHash("sha256").update(message).digest("hex")}`);
const keyOf = (point: Point) => {
  const { x, y } = point.toAffine();
  return { x: bytes(x), y: bytes(y) };
};

const message = utf8ToBytes("a reading at the edge");
const z = digestOf(message);
const secret = 0x1d7a_59c3_0b4e_8f62_a1c5_7e90_33d8_46fb_92e0_75ad_c816_4b3f_5d29_e7a1_0c84_6b15n;
const key = keyOf(BASE.multiply(secret));
const nonce = 0x6c01_f3a9_d25b_870e_44b7_19ce_8a36_e05d_f172_9b4c_03e8_d65a_b791_28fc_5ed0_4a37n;

function signed(k: bigint, d = secret, hash = z): { r: bigint; s: bigint } {
  const r = mod(BASE.multiply(k).toAffine().x);
  return { r, s: low(mod(inverse(k) * (hash + r * d))) };
}

/** The key under which (r, s) signs `of`; null when no point on the curve has that r. `bit` 2 and 3: its x is r + n. */
function keyFor(r: bigint, s: bigint, of = message, bit = 0) {
  try {
    const point = new p256.Signature(r, s).addRecoveryBit(bit).recoverPublicKey(bytes(digestOf(of)));
    return keyOf(p256.ProjectivePoint.fromHex(point.toRawBytes(false)));
  } catch {
    return null;
  }
}

/** A valid case with these numbers, under the matching key. */
function fitting(name: string, r: bigint, s: bigint, bit = 0): Case[] {
  const fit = keyFor(r, s, message, bit);
  return fit === null ? [] : [{ name, ...fit, message, signature: pair(r, s), valid: true }];
}

const { r, s } = signed(nonce);
const good: Case = { name: "a good signature", ...key, message, signature: pair(r, s), valid: true };
const bad = (name: string, signature: Uint8Array): Case => ({ ...good, name, signature, valid: false });
const stripped = (value: Uint8Array) => value.subarray(value.findIndex((byte) => byte !== 0));
const unsigned = (value: bigint) => Uint8Array.of(0x02, 0x21, 0, ...bytes(value));

function valid(): Case[] {
  return Array.from({ length: 24 }, (_, index) => {
    const d = mod(secret * BigInt(index + 2));
    const text = new Uint8Array(index * 11).fill(index);
    const made = signed(mod(nonce + BigInt(index)), d, digestOf(text));
    const own = keyOf(BASE.multiply(d));
    return { name: `valid ${index}`, ...own, message: text, signature: pair(made.r, made.s), valid: true };
  });
}

function outOfRange(): Case[] {
  const special = {
    0: 0n,
    1: 1n,
    "n − 1": n - 1n,
    n,
    "n + 1": n + 1n,
    p,
    "p + 1": p + 1n,
    "2²⁵⁶ − 1": 2n ** 256n - 1n,
  };
  const entries = Object.entries(special);
  return [
    ...entries.flatMap(([first, a]) => entries.map(([second, b]) => bad(`r = ${first}, s = ${second}`, pair(a, b)))),
    ...entries.map(([first, a]) => bad(`r = ${first}`, pair(a, s))),
    ...entries.map(([second, b]) => bad(`s = ${second}`, pair(r, b))),
  ];
}

function modified(): Case[] {
  return [
    { ...bad("s in the upper half", pair(r, n - s)), curve: true },
    bad("n − r for r", pair(n - r, s)),
    bad("r and s changed about", pair(s, r)),
    bad("the inverse of r", pair(inverse(r), s)),
    bad("the inverse of s", pair(r, low(inverse(s)))),
    ...Array.from({ length: 64 }, (_, place) => {
      const changed = good.signature.slice();
      changed[place] = (changed[place] as number) ^ (1 << (place % 8));
      return bad(`a bit of byte ${place} flipped`, changed);
    }).filter(({ signature }) => BigInt(`0x${Buffer.from(signature.subarray(32)).toString("hex")}`) <= half),
    { ...good, name: "another message", message: utf8ToBytes("a reading at the edge."), valid: false },
    { ...good, name: "the message's digest for the message", message: bytes(z), valid: false },
    // r and s that still fit into 32 bytes after adding n.
    ...smallR(1).flatMap((small) =>
      fitting("a small r", small, s).map(
        (made): Case => ({ ...made, name: "r + n for r", signature: pair(small + n, s), valid: false }),
      ),
    ),
    ...fitting("a small s", r, 5n).map(
      (made): Case => ({ ...made, name: "s + n for s", signature: pair(r, 5n + n), valid: false }),
    ),
  ];
}

function otherSizes(): Case[] {
  const short = fitting("a small s", r, 0x1234n)[0] as Case;
  const shortS = stripped(bytes(0x1234n));
  return [
    bad("no bytes", new Uint8Array()),
    bad("r alone", bytes(r)),
    bad("63 bytes", good.signature.subarray(0, 63)),
    bad("a 0 after it", concatBytes(good.signature, Uint8Array.of(0))),
    bad("a 0 before it", concatBytes(Uint8Array.of(0), good.signature)),
    bad("v after it", concatBytes(good.signature, Uint8Array.of(27))),
    bad("both numbers in 33 bytes", concatBytes(Uint8Array.of(0), bytes(r), Uint8Array.of(0), bytes(s))),
    bad("r + 2²⁵⁶ in 33 bytes", concatBytes(Uint8Array.of(1), bytes(r), Uint8Array.of(0), bytes(s))),
    bad("s + 2²⁵⁶ in 33 bytes", concatBytes(Uint8Array.of(0), bytes(r), Uint8Array.of(1), bytes(s))),
    bad("both numbers in 40 bytes", concatBytes(new Uint8Array(8), bytes(r), new Uint8Array(8), bytes(s))),
    bad("twice", concatBytes(good.signature, good.signature)),
    bad("DER", concatBytes(Uint8Array.of(0x30, 0x46), unsigned(r), unsigned(s))),
    { ...short, name: "s without its leading zeros", signature: concatBytes(bytes(r), shortS), valid: false },
    {
      ...short,
      name: "s with its zeros behind it",
      signature: concatBytes(bytes(r), shortS, new Uint8Array(30)),
      valid: false,
    },
  ];
}

/** The smallest values of r for which there is a point on the curve. */
function smallR(count: number, bit = 0): bigint[] {
  const found: bigint[] = [];
  for (let candidate = 1n; found.length < count; candidate++)
    if (keyFor(candidate, 1n, message, bit)) found.push(candidate);
  return found;
}

function smallNumbers(): Case[] {
  const smallS = [1n, 2n, 3n, 4n, 5n, 6n, 255n, 256n];
  return [
    ...smallR(6).flatMap((small) => smallS.flatMap((other) => fitting(`r = ${small}, s = ${other}`, small, other))),
    // x is not below n, so r is x − n.
    ...smallR(4, 2).flatMap((small) => [
      ...fitting(`x = n + ${small}`, small, s, 2),
      ...fitting(`x = n + ${small}, its other y`, small, s, 3),
    ]),
    ...smallS.flatMap((other) => fitting(`a small s, ${other}`, r, other)),
    ...fitting("the largest s that counts", r, half),
    ...fitting("one above the largest s", r, half + 1n).map((made): Case => ({ ...made, valid: false, curve: true })),
  ];
}

/** Values of s whose inverse, or whose products with the digest and r, are at an edge. */
function edgesInside(): Case[] {
  const edges = [
    ...[1n, 2n, 3n, n - 1n, n - 2n, half, half + 1n, p % n, 2n ** 255n],
    ...[32n, 64n, 96n, 128n, 160n, 192n, 224n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n]),
  ];
  return edges.flatMap((edge, index) => [
    ...fitting(`s = edge ${index}`, r, low(edge)),
    ...fitting(`s⁻¹ = edge ${index}`, r, low(inverse(edge))),
    ...fitting(`u₁ = edge ${index}`, r, low(mod(z * inverse(edge)))),
    ...fitting(`u₂ = edge ${index}`, r, low(mod(r * inverse(edge)))),
  ]);
}

/** u₁G and u₂Q are the same point, or cancel each other. */
function meetingPoints(): Case[] {
  return [1n, 2n, 3n, 7n].flatMap((factor) => {
    const k = mod(nonce * factor);
    const x = mod(BASE.multiply(k).toAffine().x);
    const same = mod(z * inverse(x));
    const doubled = signed(k, same);
    return [
      {
        name: `u₁G = u₂Q, ${factor}`,
        ...keyOf(BASE.multiply(same)),
        message,
        signature: pair(doubled.r, doubled.s),
        valid: true,
      },
      {
        name: `u₁G = −u₂Q, ${factor}`,
        ...keyOf(BASE.multiply(n - same)),
        message,
        signature: pair(x, low(mod(k))),
        valid: false,
      },
    ];
  });
}

function specialKeys(): Case[] {
  const secrets = [1n, 2n, 3n, 4n, n - 1n, n - 2n, half, half + 1n];
  let point = BASE;
  for (let d = 1n, found = 0; found < 4; d++, point = point.add(BASE)) {
    const { x, y } = point.toAffine();
    if (x >> 248n === 0n || y >> 248n === 0n || x >> 248n === 255n) {
      secrets.push(d);
      found++;
    }
  }
  return secrets.map((d, index) => {
    const made = signed(nonce, d);
    return {
      name: `special key ${index}`,
      ...keyOf(BASE.multiply(d)),
      message,
      signature: pair(made.r, made.s),
      valid: true,
    };
  });
}

function noKeys(): Case[] {
  const { x, y } = BASE.multiply(secret).toAffine();
  const other = secp256k1.ProjectivePoint.BASE.toAffine();
  const under = (name: string, a: bigint, b: bigint): Case => ({
    ...good,
    name,
    x: bytes(a),
    y: bytes(b),
    valid: false,
  });
  const tiny = Array.from({ length: 40 }, (_, index) => BigInt(index)).flatMap((small) => {
    try {
      return [p256.ProjectivePoint.fromHex(concatBytes(Uint8Array.of(2), bytes(small))).toAffine()];
    } catch {
      return [];
    }
  });
  return [
    under("the point at infinity as 0, 0", 0n, 0n),
    under("another y", x, y ^ 1n),
    under("the mirrored key", x, p - y),
    under("x and y changed about", y, x),
    under("a point of secp256k1", other.x, other.y),
    under("all ones", 2n ** 256n - 1n, 2n ** 256n - 1n),
    under("x = p", p, y),
    ...tiny.map((point) => under(`x = ${point.x} + p`, point.x + p, point.y)),
    { ...good, name: "x of 31 bytes", x: good.x.subarray(1), valid: false },
    { ...good, name: "y of 33 bytes", y: concatBytes(good.y, Uint8Array.of(0)), valid: false },
  ];
}

/** Messages whose digest has a long run of equal bits at one end. */
function specialDigests(): Case[] {
  const wanted: Record<string, (hash: Buffer) => boolean> = {
    "begins with zeros": (hash) => hash.readUInt16BE(0) === 0,
    "begins with ones": (hash) => hash.readUInt16BE(0) === 0xffff,
    "ends with zeros": (hash) => hash.readUInt16BE(30) === 0,
    "ends with ones": (hash) => hash.readUInt16BE(30) === 0xffff,
  };
  const cases: Case[] = [];
  for (let number = 0; number < 150_000; number++) {
    const text = utf8ToBytes(`digest ${number}`);
    const hash = createHash("sha256").update(text).digest();
    for (const [name, is] of Object.entries(wanted)) {
      if (!is(hash)) continue;
      const made = signed(nonce, secret, digestOf(text));
      cases.push({ ...good, name: `a digest that ${name}: ${number}`, message: text, signature: pair(made.r, made.s) });
    }
  }
  return cases;
}

export const cases: readonly Case[] = [
  ...[good, ...valid(), ...outOfRange(), ...modified(), ...otherSizes(), ...smallNumbers()],
  ...[...edgesInside(), ...meetingPoints(), ...specialKeys(), ...noKeys(), ...specialDigests()],
];
