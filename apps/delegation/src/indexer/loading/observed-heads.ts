import { getBlockRange, getDynamicGlobalProperties, type HiveApi } from '@waggle/chain';

/** Blocks per request; full ones have 10 MB. */
const blocksAtOnce = 100;

/** The heads that a node had while something was read from it. */
export class ObservedHeads {
  private readonly ids = new Map<number, string>();
  /** A block that the node had twice, under two ids. */
  private changed: number | undefined;

  constructor(private readonly api: HiveApi) {}

  /** Records the current head. @returns its number and id, and the last irreversible block */
  async record(): Promise<{ head: number; id: string; irreversible: number }> {
    const properties = await getDynamicGlobalProperties(this.api);
    const { headBlockNumber: head, headBlockId: id, lastIrreversibleBlockNumber: irreversible } = properties;
    if ((this.ids.get(head) ?? id) !== id) this.changed = head;
    this.ids.set(head, id);
    return { head, id, irreversible };
  }

  /**
   * Finds a recorded block that is not part of the chain. Call it when all are irreversible.
   *
   * @param keepAlive called after each request: all of them may take minutes
   */
  async findUndone(keepAlive: () => Promise<unknown>): Promise<number | undefined> {
    if (this.changed !== undefined) return this.changed;
    let numbers = [...this.ids.keys()].sort((one, other) => one - other);
    for (let first = numbers[0]; first !== undefined; first = numbers[0]) {
      const end = first + blocksAtOnce;
      const last = numbers.findLast((number) => number < end) ?? first;
      const blocks = await getBlockRange(this.api, first, last - first + 1);
      await keepAlive();
      const idOf = new Map(blocks.map((block) => [block.number, block.id]));
      const undone = numbers.find((number) => number <= last && idOf.get(number) !== this.ids.get(number));
      if (undone !== undefined) return undone;
      numbers = numbers.filter((number) => number > last);
    }
    return undefined;
  }
}
