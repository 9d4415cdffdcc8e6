/** So many ranges are more than a follower reads ahead with its defaults. */
const maxRanges = 64;

interface Source {
  readonly first: number;
  readonly last: number;
  readonly node: string;
}

/** Remembers which node returned which of the blocks that were read last. */
export class BlockSources {
  private readonly ranges: Source[] = [];

  add(source: Source): void {
    this.ranges.unshift(source);
    this.ranges.splice(maxRanges);
  }

  /** The node that returned this block the last time. */
  find(number: number): string | undefined {
    return this.ranges.find(({ first, last }) => first <= number && number <= last)?.node;
  }
}
