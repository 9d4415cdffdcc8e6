import { blockRangeMethod, getBlockRange, type HiveBlock } from '../api/block-api';
import { getDynamicGlobalProperties } from '../api/database-api';
import {
  enumVirtualOpsMethod,
  type VirtualOperation,
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
export function followerProbes(followed: FollowedOperations): readonly Probe[] {
  return [firstBlockProbe, irreversibleBlocksProbe(followed), virtualOperationsProbe(followed)];
}

const firstBlockProbe: Probe = {
  method: blockRangeMethod,
  purpose: 'first block',
  requiredNodes: 'one',
  consequence: 'an index cannot begin at the first block of the chain',
  run: async (node) => {
    const blocks = await getBlockRange(node, 1, 1);
    return blocks.length === 1 ? works : notServed('it returns no block 1: its block log is pruned');
  },
};

function irreversibleBlocksProbe(followed: FollowedOperations): Probe {
  return {
    method: blockRangeMethod,
    purpose: 'irreversible blocks',
    requiredNodes: 'one',
    consequence: 'the indexer cannot follow the chain',
    needsHead: true,
    run: async (node, head) => {
      const { blocks, requested } = await readLastBlocks(node, head, followed);
      for (const block of blocks) decode(followed, block, []);
      return blocks.length === requested
        ? works
        : differs(`it returns ${blocks.length} of ${requested} blocks: the rest takes another call`);
    },
  };
}

function virtualOperationsProbe(followed: FollowedOperations): Probe {
  return {
    method: enumVirtualOpsMethod,
    purpose: 'virtual operations',
    requiredNodes: 'one',
    consequence: 'the indexer cannot follow the chain',
    needsHead: true,
    run: async (node, head): Promise<Finding> => {
      const { reader, blocks } = await readLastBlocks(node, head, followed);
      const operations = await reader.readVirtual(blocks);
      for (const block of blocks) {
        const ofBlock = operations.filter(({ block: number }) => number === block.number);
        decode(followed, { ...block, transactions: [] }, ofBlock);
      }
      const unseen = unseenIn(operations, followed.frequent ?? [], blocks);
      if (!(await leavesOutLastBlock(node).catch(() => false))) return { ...works, ...unseen };
      const how = 'HAfAH: it would leave out the last irreversible block without include_reversible, which is set';
      return differs([how, ...Object.values(unseen)].join('; '));
    },
  };
}

/** Reads the last irreversible blocks as a `BlockFollower` does; the node may return fewer than requested. */
async function readLastBlocks(
  node: CheckedNode,
  { irreversibleBlock: last }: NodeHead,
  { virtualOperations, storageDelayMs = defaultStorageDelayMs }: FollowedOperations,
): Promise<{ reader: BlockReader; blocks: readonly HiveBlock[]; requested: number }> {
  const recent = { isVoteAgainst: () => false, isRecent: () => true };
  const reader = new BlockReader(node, virtualOperations, recent, { requiredFields: new Map(), storageDelayMs });
  // Every block of Hive has a reward. Otherwise a single node that returns no virtual operations would count as one
  // of a test chain.
  reader.require({ idsAreHashes: false, hasProducerRewards: true });
  const requested = Math.min(rangeBlocks, last);
  const blocks = await reader.readBlocks({ number: last - requested, id: undefined }, last);
  return { reader, blocks, requested };
}

/** Decodes the operations of a block that the follower handles. @throws if one has an unknown format */
function decode({ handlers }: FollowedOperations, block: HiveBlock, virtual: readonly VirtualOperation[]): void {
  const isHandled = ({ type }: { type: string }) => handlers.types.includes(type);
  handlers.decode(followedBlock(block, undefined, virtual, isHandled));
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
