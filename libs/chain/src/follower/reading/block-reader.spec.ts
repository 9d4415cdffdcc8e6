import { type z } from 'zod';
import { blockRange } from '../../api/block-api';
import { enumVirtualOpsMethod } from '../../api/virtual-operations';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes, type NodeResult } from '../../node/hive-nodes';
import { BlockReader } from './block-reader';

const idOf = (number: number, chain: string): string => number.toString(16).padStart(8, '0').padEnd(40, chain);

/** Nodes by their chain, a letter of its ids; undefined for an unavailable node. */
class Nodes implements HiveNodes {
  readonly distrusted = new Set<string>();
  readonly avoided: string[] = [];
  chains: readonly (string | undefined)[] = [];

  get nodeCount(): number {
    return this.chains.length;
  }

  call(): Promise<never> {
    return Promise.reject(new Error('unused'));
  }

  /** Responses of the first node, whose blocks do not fit the virtual operations. */
  callWithNode<T>(method: string, params: unknown, result: z.ZodType<T>): Promise<NodeResult<T>> {
    if (method === enumVirtualOpsMethod)
      return Promise.reject(new HiveNodesUnavailableError(method, [{ node: 'node-1', kind: 'mismatch' }]));
    const parsed = result.safeParse(blocksOf(this.chains[0] ?? '', params));
    if (parsed.success) return Promise.resolve({ node: 'node-0', value: parsed.data });
    // The ids are not hashes.
    return Promise.reject(new HiveNodesUnavailableError(method, [{ node: 'node-0', kind: 'contradiction' }]));
  }

  callWorkingNodes<T>(_method: string, params: unknown, result: z.ZodType<T>): Promise<readonly NodeResult<T>[]> {
    const results = this.chains.flatMap((chain, index) =>
      chain === undefined ? [] : [{ node: `node-${index}`, value: result.parse(blocksOf(chain, params)) }],
    );
    return Promise.resolve(results);
  }

  recordContradiction(node: string): void {
    this.distrusted.add(node);
  }

  recordMismatch(node: string): void {
    this.avoided.push(node);
  }
}

function blocksOf(chain: string, params: unknown) {
  const number = typeof params === 'object' && params && 'starting_block_num' in params ? params.starting_block_num : 0;
  if (typeof number !== 'number') throw new TypeError('no number');
  const header = { timestamp: '2026-01-01T00:00:00', witness: 'w', witness_signature: '00', extensions: [] };
  const body = { transaction_merkle_root: '0'.repeat(40), transactions: [], transaction_ids: [] };
  return { blocks: [{ block_id: idOf(number, chain), previous: idOf(number - 1, chain), ...header, ...body }] };
}

const lastIrreversible = { isVoteAgainst: () => true, isRecent: () => false };

let nodes: Nodes;
let reader: BlockReader;

beforeEach(() => {
  nodes = new Nodes();
  reader = new BlockReader(nodes, [], lastIrreversible);
});

const compare = (number: number, chain: string) => {
  const [block] = blockRange.parse(blocksOf(chain, { starting_block_num: number })).blocks;
  if (block === undefined) throw new Error('no block');
  return reader.compare(block);
};

it.each([
  ['agreed', 'both nodes have it', ['a', 'a']],
  ['not-compared', 'the other node is away', ['a', undefined]],
  ['outvoted', 'two of three nodes have another one', ['a', 'b', 'b']],
])('a block is %s if %s', async (comparison, _if, chains) => {
  nodes.chains = chains;
  await reader.readBlocks({ number: 6, id: undefined }, 7);
  expect(await compare(7, 'a')).toBe(comparison);
  expect([...nodes.distrusted]).toEqual(comparison === 'outvoted' ? ['node-0'] : []);
});

it('the block that an unavailable node returned earlier counts as its response', async () => {
  nodes.chains = ['a', 'b'];
  await reader.readBlocks({ number: 6, id: undefined }, 7);
  nodes.chains = [undefined, 'b'];
  await expect(compare(7, 'a')).rejects.toThrow('block 7 is');
});

it('a node that returns another block for comparison than before is distrusted', async () => {
  nodes.chains = ['b', 'a'];
  await reader.readBlocks({ number: 6, id: undefined }, 7);
  nodes.chains = ['a', 'a'];
  expect(await compare(7, 'b')).toBe('outvoted');
  expect([...nodes.distrusted]).toEqual(['node-0']);
});

it('a rejected operation of a transaction counts against its node, even if its type is virtual', async () => {
  nodes.chains = ['a'];
  reader = new BlockReader(nodes, ['account_created'], lastIrreversible);
  await reader.readBlocks({ number: 6, id: undefined }, 7);
  const operation = { index: 0, type: 'account_created_operation', transactionId: undefined, isVirtual: false };
  reader.rejectOperation({ block: { number: 7 }, operation });
  expect([...nodes.distrusted]).toEqual(['node-0']);
});

it('blocks that do not match virtual operations are read from another node, without distrust', async () => {
  nodes.chains = ['a'];
  reader = new BlockReader(nodes, ['account_created'], lastIrreversible);
  const blocks = await reader.readBlocks({ number: 6, id: undefined }, 7);
  await expect(reader.readVirtual(blocks)).rejects.toThrow('mismatch');
  expect([nodes.avoided, nodes.distrusted.size]).toEqual([['node-0'], 0]);
});

it('after a dispute two nodes have to agree, even if a call to one fails', async () => {
  nodes.chains = ['a', 'b'];
  await reader.readBlocks({ number: 6, id: undefined }, 7);
  await expect(compare(7, 'a')).rejects.toThrow('block 7 is');
  nodes.chains = ['a', undefined];
  await expect(compare(7, 'a')).rejects.toThrow('nodes disagreed before block 7');
  nodes.chains = ['a', 'a'];
  expect(await compare(7, 'a')).toBe('agreed');
  nodes.chains = ['a', undefined];
  expect(await compare(7, 'a')).toBe('not-compared');
});

it('a majority does not override the id of the checkpoint', async () => {
  nodes.chains = ['a', 'b', 'b'];
  await expect(reader.readBlock(7, idOf(7, 'a'))).rejects.toThrow('most nodes contradict');
});
