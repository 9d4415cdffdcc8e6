import { type HiveBlock } from '../../api/block-api';
import { type Comparison } from './block-comparison';
import { Confirmations } from './confirmations';

/** Comparisons that the test ends. */
class Comparisons {
  /** The numbers of the blocks of each. */
  readonly compared: number[][] = [];
  private end: { resolve(comparison: Comparison): void; reject(error: Error): void } | undefined;

  readonly compare = (blocks: readonly HiveBlock[]): Promise<Comparison> => {
    this.compared.push(blocks.map(({ number }) => number));
    return new Promise((resolve, reject) => {
      this.end = { resolve, reject };
    });
  };

  succeed(comparison: Comparison): void {
    this.end?.resolve(comparison);
  }

  fail(): void {
    this.end?.reject(new Error('no majority'));
  }
}

function blockOf(number: number): HiveBlock {
  const header = { id: '', previous: '', timestamp: new Date(0), witness: '', merkleRoot: '', witnessSignature: '' };
  return { number, ...header, hasExtensions: false, transactions: [] };
}

let comparisons: Comparisons;
let confirmations: Confirmations;

beforeEach(() => {
  comparisons = new Comparisons();
  confirmations = new Confirmations(comparisons.compare);
});

it('confirms ranges that arrive during a comparison with one further comparison', async () => {
  const ranges = [[1, 2], [3, 4], [5]].map((numbers) => confirmations.confirm(numbers.map(blockOf)));
  expect(comparisons.compared).toEqual([[1, 2]]);
  comparisons.succeed('agreed');
  expect(await ranges[0]).toBe('agreed');
  expect(comparisons.compared).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  comparisons.succeed('outvoted');
  expect(await Promise.all(ranges)).toEqual(['agreed', 'outvoted', 'outvoted']);
});

it('reports the error of a comparison for each of its ranges, and compares the next ones', async () => {
  const first = confirmations.confirm([blockOf(1)]);
  const others = [confirmations.confirm([blockOf(2)]), confirmations.confirm([blockOf(3)])];
  comparisons.succeed('agreed');
  await first;
  const settled = Promise.allSettled(others);
  comparisons.fail();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = confirmations.confirm([blockOf(4)]);
  comparisons.succeed('not-compared');
  expect(await next).toBe('not-compared');
});
