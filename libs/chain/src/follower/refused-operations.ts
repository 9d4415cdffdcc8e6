import { type HiveOperation } from '../api/block-api';
import { type OperationPlace } from './operation-handlers';

/**
 * Operations that no handler could decode as a node wrote them, such as with `1.000 HIVE` in the place of an amount object. An
 * answer that repeats one is a fault of its node, so that the next node is asked for the block.
 */
export class RefusedOperations {
  /** By the number of the block: types and values as JSON. */
  private readonly byBlock = new Map<number, Set<string>>();

  add({ block, operation }: OperationPlace): void {
    // The blocks before it have been applied since.
    for (const number of this.byBlock.keys()) if (number < block.number) this.byBlock.delete(number);
    const refused = this.byBlock.get(block.number) ?? new Set();
    this.byBlock.set(block.number, refused.add(textOf(operation)));
  }

  /** @returns what is wrong with the operations of that block: one of them was refused as it is written here */
  findIn(block: number, operations: readonly HiveOperation[]): string | undefined {
    const refused = this.byBlock.get(block);
    const found = refused && operations.find((operation) => refused.has(textOf(operation)));
    return found && `block ${block} has a ${found.type} of another shape than its handler expects`;
  }
}

function textOf({ type, value }: HiveOperation): string {
  return JSON.stringify([type, value]);
}
