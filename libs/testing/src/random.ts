/** A pseudo-random number generator with a seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 up to, not including, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, not including, `max`. */
  below(max: number): number {
    return Math.floor(this.next() * max);
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws RangeError if there are none */
  pick<T>(from: readonly T[]): T {
    const picked = from[this.below(from.length)];
    if (picked === undefined) throw new RangeError('nothing to pick from');
    return picked;
  }

  /** `count` different elements, or all if there are fewer, in random order. */
  sample<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.below(left.length), 1)).flat();
  }

  /** A number of up to `max` bits; each length is equally likely. */
  bits(max: number): bigint {
    const bits = 1 + this.below(max);
    let value = 0n;
    for (let at = 0; at < bits; at += 1) value = value * 2n + BigInt(this.below(2));
    return value;
  }
}
