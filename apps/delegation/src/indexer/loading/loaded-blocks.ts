import { setTimeout } from 'node:timers/promises';
import {
  confirmBlock,
  getDynamicGlobalProperties,
  type HiveApi,
  HiveNodesUnavailableError,
  type HiveNodes,
} from '@waggle/chain';
import { type ClientBase } from 'pg';

/** Interval of polls of the node for the last irreversible block, in milliseconds. */
const pollMs = 1_000;

/**
 * Time that the load waits for nodes that do not have a block yet, in milliseconds: twice as long as a node may be
 * behind without lagging.
 */
const behindMs = 120_000;

/** The nodes that a load reads, and the client of its transaction. */
export interface LoadConnections {
  /** A client of a single node, so that each page is later than the one before. */
  readonly api: HiveApi;
  /** All nodes, to compare that node's blocks with theirs. */
  readonly all: HiveNodes;
  readonly client: ClientBase;
  readonly signal: AbortSignal;
}

/** Waits until a block is irreversible. @returns the last irreversible block, which is this one or a later one */
export async function waitUntilIrreversible(block: number, { api, client, signal }: LoadConnections): Promise<number> {
  for (;;) {
    const { lastIrreversibleBlockNumber: last } = await getDynamicGlobalProperties(api);
    if (last >= block) return last;
    await setTimeout(pollMs, undefined, { signal });
    await keepAlive(client);
  }
}

/** Compares a block of the node with the same block of all nodes, and waits for nodes that do not have it yet. */
export async function confirmOnAllNodes(
  block: { number: number; id: string },
  { all, client, signal }: LoadConnections,
): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    try {
      await confirmBlock(all, block, { idsAreHashes: false, hasProducerRewards: false });
      return;
    } catch (error) {
      if (!isNodeBehind(error) || performance.now() - startedMs > behindMs) throw error;
    }
    await setTimeout(pollMs, undefined, { signal });
    await keepAlive(client);
  }
}

function isNodeBehind(error: unknown): boolean {
  return error instanceof HiveNodesUnavailableError && error.failures.some(({ kind }) => kind === 'behind');
}

/** Keeps the server from ending an idle transaction. */
export async function keepAlive(client: ClientBase): Promise<void> {
  await client.query('SELECT 1');
}
