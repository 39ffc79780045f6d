/**
 * A seeded stream of numbers: the same seed gives the same world on every machine. Integer arithmetic only.
 * Source of the generator: sfc32 (Chris Doty-Humphrey, PractRand); of the seeding: FNV-1a.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    const hash = fnv1a(seed);
    this.#a = hash;
    this.#b = Math.imul(hash, 0x9e3779b1) | 0;
    this.#c = ~hash | 0;
    for (let round = 0; round < 12; round++) this.next();
  }

  /** The next 32 bits, 0 ≤ n < 2^32. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A whole number, low ≤ n ≤ high. */
  between(low: number, high: number): number {
    return low + (this.next() % (high - low + 1));
  }

  /** True `perThousand` times in a thousand. */
  chance(perThousand: number): boolean {
    return this.between(0, 999) < perThousand;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new RangeError("Nothing to pick from.");
    return item;
  }
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash | 0;
}
