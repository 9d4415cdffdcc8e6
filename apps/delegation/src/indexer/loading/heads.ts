import { getBlockRange, getDynamicGlobalProperties, type HiveApi } from '@waggle/chain';

/** Blocks per request; full ones have 10 MB. */
const blocksAtOnce = 100;

/** The heads that a node had while something was read from it. */
export class Heads {
  private readonly ids = new Map<number, string>();
  /** A block that the node had twice, under two ids. */
  private changed: number | undefined;

  constructor(private readonly api: HiveApi) {}

  /** Notes the head of this moment. @returns its number, and the last irreversible block */
  async note(): Promise<{ head: number; irreversible: number }> {
    const properties = await getDynamicGlobalProperties(this.api);
    const { headBlockNumber: head, headBlockId: id, lastIrreversibleBlockNumber: irreversible } = properties;
    if ((this.ids.get(head) ?? id) !== id) this.changed = head;
    this.ids.set(head, id);
    return { head, irreversible };
  }

  /** Finds the first of the blocks that is not part of the chain. Call it when all are irreversible. */
  async findUndone(): Promise<number | undefined> {
    if (this.changed !== undefined) return this.changed;
    const numbers = [...this.ids.keys()];
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    for (let number = first; number <= last; number += blocksAtOnce) {
      const count = Math.min(blocksAtOnce, last - number + 1);
      const blocks = await getBlockRange(this.api, number, count);
      const idOf = new Map(blocks.map((block) => [block.number, block.id]));
      const undone = numbers.find(
        (each) => each >= number && each < number + count && idOf.get(each) !== this.ids.get(each),
      );
      if (undone !== undefined) return undone;
    }
    return undefined;
  }
}
