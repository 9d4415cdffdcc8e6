/** Maximum number of recorded ranges: more than a follower reads ahead. */
const maxRanges = 512;

interface Source {
  readonly first: number;
  readonly last: number;
  readonly node: string;
}

/** Records which node returned which of the latest blocks. */
export class BlockSources {
  private readonly ranges: Source[] = [];

  add(source: Source): void {
    this.ranges.unshift(source);
    this.ranges.splice(maxRanges);
  }

  /** Finds the node that last returned this block. */
  find(number: number): string | undefined {
    return this.ranges.find(({ first, last }) => first <= number && number <= last)?.node;
  }
}
