import { type ClientBase } from 'pg';
import { blockRangeMethod } from '../../api/block-api';
import { HiveNodesUnavailableError } from '../../node/errors';
import { type HiveNodes } from '../../node/hive-nodes';
import { AgreedIrreversibleBlock } from '../reading/agreed-irreversible-block';
import { BlockReader } from '../reading/block-reader';
import { type ChainPoint, type ChainProperties, Checkpoints } from './checkpoint';
import { defaultStorageDelayMs } from '../reading/storage-delay';

/** What a follower of another database needs to continue after the last block that this one applied. */
type TransferredCheckpoint = ChainPoint & ChainProperties;

/** Returns the checkpoint of a follower; undefined if the follower has not started. */
export async function findCheckpoint(client: ClientBase, name: string): Promise<TransferredCheckpoint | undefined> {
  const noProperties = { idsAreHashes: false, hasProducerRewards: false };
  const checkpoints = new Checkpoints(name, () => noProperties);
  const point = await checkpoints.find(client);
  if (point === undefined) return undefined;
  const { number, id, timestamp } = point;
  return { number, id, timestamp, ...(await checkpoints.findProperties(client)) };
}

/** Stores the checkpoint of a follower that has not started. @throws CheckpointExistsError if it has */
export async function createCheckpoint(
  client: ClientBase,
  name: string,
  checkpoint: TransferredCheckpoint,
): Promise<void> {
  await new Checkpoints(name, () => checkpoint).create(client, checkpoint);
}

/**
 * Confirms that the nodes have this block. A node that lags and does not have it does not count.
 *
 * @returns what is known of the chain: `known`, and what the nodes show
 * @throws HiveNodesUnavailableError if the nodes do not have the block, or have another one with this number
 */
export async function confirmBlock(
  api: HiveNodes,
  { number, id }: { readonly number: number; readonly id: string },
  known: ChainProperties,
): Promise<ChainProperties> {
  const irreversible = new AgreedIrreversibleBlock(api, { storageDelayMs: defaultStorageDelayMs });
  await irreversible.find();
  const reader = new BlockReader(api, ['producer_reward'], {
    isVoteAgainst: (node, block) => irreversible.isVoteAgainst(node, block),
    isRecent: () => true,
  });
  reader.require(known);
  // Before the block is read by its id: if the id is false, that would record a contradiction of the nodes that have
  // the true block.
  const agreed = await reader.readId(number);
  if (agreed !== id) {
    const detail = `block ${number} is ${agreed} at most nodes, not ${id}`;
    throw new HiveNodesUnavailableError(blockRangeMethod, [{ node: 'all', kind: 'contradiction', detail }]);
  }
  await reader.readBlock(number, id);
  return reader.properties;
}
