import { blockRangeMethod, blockRangeQuery, type HiveNodes, HiveRpcError } from '@waggle/chain';
import { z } from 'zod';

/** Which operations the index accepts, by the number of their block. */
export interface NetworkRules {
  /** The first block whose community commands are applied. */
  readonly communitiesFrom: number;
  /** When the chain split each VESTS into a million: earlier votes have rshares of the former size. */
  readonly vestsSplitAt: Date;
}

/** The factor between the rshares of a vote of this time and of one today. */
export function rsharesScale({ vestsSplitAt }: NetworkRules, time: Date): bigint {
  return time < vestsSplitAt ? 1_000_000n : 1n;
}

/**
 * The rules of the gateways of Hive: `START_BLOCK` of communities and `Blocks.prepare_vops` in
 * openhive-network/hivemind. The split is the first hard fork, in block 905,693 of 17:30:00. Its operations have the
 * time of the block before.
 */
export const mainNetworkRules: NetworkRules = {
  communitiesFrom: 37_500_000,
  vestsSplitAt: new Date('2016-04-25T17:29:57Z'),
};

/** Another chain has no such history: every block accepts communities. */
export const otherNetworkRules: NetworkRules = { communitiesFrom: 1, vestsSplitAt: new Date(0) };

/** The chain id does not tell networks apart: test chains have Hive's, because client libraries sign for it. */
const mainFirstBlockId = '0000000109833ce528d5bbfb3f6225b39ee10086';

/** The blocks that a node returns. If it has none, some versions of HAF return null. */
const firstBlocks = z.object({ blocks: z.array(z.object({ block_id: z.string() })).nullable() });

/**
 * Reads the rules of the chain that most of the responding nodes have. Only Hive is so long that nodes discard the
 * first block.
 *
 * @throws HiveNodesUnavailableError if no node responds
 */
export async function readNetworkRules(hive: HiveNodes): Promise<NetworkRules> {
  const ids = await readFirstBlockIds(hive);
  const others = ids.filter((id) => id !== undefined && id !== mainFirstBlockId);
  return others.length > ids.length / 2 ? otherNetworkRules : mainNetworkRules;
}

/** Reads the id of the first block from each working node; undefined for a node without that block. */
async function readFirstBlockIds(hive: HiveNodes): Promise<readonly (string | undefined)[]> {
  try {
    const results = await hive.callWorkingNodes(blockRangeMethod, blockRangeQuery(1, 1), firstBlocks);
    return results.map(({ value }) => value.blocks?.[0]?.block_id);
  } catch (error) {
    // Every node rejects the call.
    if (error instanceof HiveRpcError) return [];
    throw error;
  }
}
