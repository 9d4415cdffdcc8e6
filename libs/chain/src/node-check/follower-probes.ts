import { blockRangeMethod, getBlockRange, type HiveBlock } from '../api/block-api';
import { getDynamicGlobalProperties } from '../api/database-api';
import {
  enumVirtualOpsMethod,
  virtualOperationsFilter,
  virtualOperationsPage,
  virtualOperationsQuery,
} from '../api/virtual-operations';
import { BlockReader } from '../follower/reading/block-reader';
import { followedBlock } from '../follower/followed-block';
import { type OperationHandlers } from '../follower/operation-handlers';
import { defaultStorageDelayMs } from '../follower/reading/storage-delay';
import { rewardOperation } from '../follower/reading/verified-virtual-operations';
import { type NodeHead } from '../node/hive-node';
import { type CheckedNode } from './checked-node';
import { differs, type Finding, notServed, type Probe, works } from './probe';

/** What a follower takes from the chain. */
export interface FollowedOperations {
  /** As in `BlockFollowerOptions`. */
  readonly virtualOperations: readonly string[];
  readonly handlers: Pick<OperationHandlers<never>, 'decode' | 'types'>;
  /** The virtual operations that occur on Hive every few blocks: if one is not seen, its format is not checked. */
  readonly frequent?: readonly string[];
  /** As in `BlockFollowerOptions`. */
  readonly storageDelayMs?: number;
}

/** Number of blocks that are read: two and a half minutes of Hive, with votes and payouts. */
const rangeBlocks = 50;

/** Attempts to read the last irreversible block before the next one replaces it. */
const maxReadings = 3;

/** What a `BlockFollower` with these operations calls. */
export function followerProbes({
  virtualOperations,
  handlers,
  frequent = [],
  storageDelayMs = defaultStorageDelayMs,
}: FollowedOperations): readonly Probe[] {
  const recent = { isVoteAgainst: () => false, isRecent: () => true };
  const read = async (node: CheckedNode, { irreversibleBlock: last }: NodeHead) => {
    const reader = new BlockReader(node, virtualOperations, recent, { requiredFields: new Map(), storageDelayMs });
    // Every block of Hive has a reward. Otherwise a single node that returns no virtual operations would count as one
    // of a test chain.
    reader.require({ idsAreHashes: false, hasProducerRewards: true });
    const count = Math.min(rangeBlocks, last);
    const blocks = await reader.readBlocks({ number: last - count, id: undefined }, last);
    return { reader, blocks, missing: count - blocks.length };
  };
  const isHandled = ({ type }: { type: string }) => handlers.types.includes(type);
  return [
    {
      method: blockRangeMethod,
      purpose: 'first block',
      requiredNodes: 'one',
      consequence: 'an index cannot begin at the first block of the chain',
      run: async (node) => {
        const blocks = await getBlockRange(node, 1, 1);
        return blocks.length === 1 ? works : notServed('it returns no block 1: its block log is pruned');
      },
    },
    {
      method: blockRangeMethod,
      purpose: 'irreversible blocks',
      requiredNodes: 'one',
      consequence: 'the indexer cannot follow the chain',
      needsHead: true,
      run: async (node, head) => {
        const { blocks, missing } = await read(node, head);
        for (const block of blocks) handlers.decode(followedBlock(block, undefined, [], isHandled));
        return missing === 0
          ? works
          : differs(`it returns ${blocks.length} of ${blocks.length + missing} blocks: the rest takes another call`);
      },
    },
    {
      method: enumVirtualOpsMethod,
      purpose: 'virtual operations',
      requiredNodes: 'one',
      consequence: 'the indexer cannot follow the chain',
      needsHead: true,
      run: async (node, head): Promise<Finding> => {
        const { reader, blocks } = await read(node, head);
        const operations = await reader.readVirtual(blocks);
        for (const block of blocks) {
          const own = operations.filter(({ block: number }) => number === block.number);
          handlers.decode(followedBlock({ ...block, transactions: [] }, undefined, own, isHandled));
        }
        const unseen = unseenIn(operations, frequent, blocks);
        if (!(await leavesOutLastBlock(node).catch(() => false))) return { ...works, ...unseen };
        const how = 'HAfAH: it would leave out the last irreversible block without include_reversible, which is set';
        return differs([how, ...Object.values(unseen)].join('; '));
      },
    },
  ];
}

function unseenIn(
  operations: readonly { readonly op: { readonly type: string } }[],
  expected: readonly string[],
  blocks: readonly HiveBlock[],
): Pick<Finding, 'detail'> {
  const seen = new Set(operations.map(({ op }) => op.type));
  const unseen = expected.filter((name) => !seen.has(`${name}_operation`));
  return unseen.length === 0 ? {} : { detail: `not seen in ${blocks.length} blocks: ${unseen.join(', ')}` };
}

/**
 * Whether HAfAH serves the virtual operations (see `virtualOperationsQuery`): each block has a reward, and unlike
 * hived, HAfAH leaves out the reward of the last irreversible block.
 *
 * @returns false also if the last irreversible block changes too fast to tell
 */
async function leavesOutLastBlock(node: CheckedNode): Promise<boolean> {
  const filter = virtualOperationsFilter([rewardOperation]);
  for (let reading = 0; reading < maxReadings; reading += 1) {
    const { lastIrreversibleBlockNumber: last } = await getDynamicGlobalProperties(node);
    const query = virtualOperationsQuery(last, last, { filter, includesReversible: false });
    const { operations } = await node.call(enumVirtualOpsMethod, query, virtualOperationsPage);
    const { lastIrreversibleBlockNumber: later } = await getDynamicGlobalProperties(node);
    if (later === last) return operations.length === 0;
  }
  return false;
}
