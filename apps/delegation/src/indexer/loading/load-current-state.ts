import { getBlockRange } from '@waggle/chain';
import { type Logger, ThrottledLog } from '@waggle/service';
import { insertIndexState } from '../../index-state/index-state.statements';
import { confirmOnAllNodes, keepAlive, type LoadConnections, waitUntilIrreversible } from './loaded-blocks';
import { ObservedHeads } from './observed-heads';
import { insertListed, insertListedReturns, sumBalances } from './load.statements';
import { listDelegations, listReturns } from './node-lists';

/**
 * A URL may stand for several nodes, or cache the head, and a node that lags by up to 20 blocks does not count as
 * lagging: the follower starts this many blocks before the last irreversible one, and the pages of the returns may
 * include this many blocks after the head.
 */
const marginBlocks = 40;

export interface LoadOptions extends LoadConnections {
  readonly logger: Logger;
  /** Number of items in a page of the node's lists. */
  readonly pageSize: number;
  /** Called with the number of loaded delegations. */
  readonly onProgress: (delegations: number) => void;
}

/**
 * A block from the time of the load was undone, so a page may contain changes that never happened. The load can be
 * repeated.
 */
export class UndoneBlockError extends Error {
  override readonly name = 'UndoneBlockError';

  constructor(readonly block: number) {
    super(`block ${block} was undone while the current state was read`);
  }
}

/**
 * Loads all delegations and pending returns that a node has into the empty database, in one transaction.
 *
 * Each page is of another moment. Operations contain absolute amounts, so the delegations are correct when the
 * follower, which starts before the first page, has applied the block of the last page (`loadedTo`); until then the API
 * is unavailable. Pages include reversible blocks: the load waits until they are irreversible, and is repeated if one
 * was undone. At the beginning and the end the load confirms that the node follows the chain of the other nodes. It
 * does not compare the lists themselves.
 *
 * @throws UndoneBlockError; HiveNodesUnavailableError also if the other nodes contradict the blocks of this one
 */
export async function loadCurrentState(options: LoadOptions): Promise<void> {
  const { api, client, logger } = options;
  const heads = new ObservedHeads(api);
  const { irreversible } = await heads.record();
  const loadedFrom = Math.max(0, irreversible - marginBlocks);
  const [firstBlock] = loadedFrom === 0 ? [] : await getBlockRange(api, loadedFrom, 1);
  // Rejects a node of another chain before its lists are read.
  if (firstBlock !== undefined) await confirmOnAllNodes(firstBlock, options);

  await client.query('BEGIN');
  const delegations = await loadDelegations(options, heads);
  const { head: loadedTo } = await heads.record();
  const returns = await loadReturns(options, heads);
  const { head, id } = await heads.record();
  await sumBalances(client);
  logger.info({ delegations, returns, until: head }, 'loaded; waiting until the loaded blocks are irreversible');
  const irreversibleBlock = await waitUntilIrreversible(head, options);
  const undone = await heads.findUndone(() => keepAlive(client));
  if (undone !== undefined) throw new UndoneBlockError(undone);
  // Confirms the earlier heads too: they precede this block on the chain of the node.
  await confirmOnAllNodes({ number: head, id }, options);
  await insertIndexState(client, {
    syncedBlock: loadedFrom,
    syncedTime: firstBlock?.timestamp ?? null,
    irreversibleBlock,
    loadedFrom,
    loadedTo,
    returnsLoadedTo: head + marginBlocks,
    historyFrom: loadedFrom + 1,
    asOfFrom: loadedTo,
    backfillFrom: null,
    nextDelegationId: delegations + 1,
  });
  await client.query('COMMIT');
}

async function loadDelegations(options: LoadOptions, heads: ObservedHeads): Promise<number> {
  const { api, client, logger, signal, pageSize, onProgress } = options;
  const progressLog = new ThrottledLog<number>(
    (_leftOut, delegations) => {
      logger.info({ delegations }, 'loading the current delegations from a node');
    },
    { kindOf: () => 'progress' },
  );
  let loaded = 0;
  for await (const page of listDelegations(api, pageSize)) {
    signal.throwIfAborted();
    await insertListed(client, page, 1 + loaded);
    loaded += page.length;
    await heads.record();
    onProgress(loaded);
    progressLog.log(loaded);
  }
  return loaded;
}

async function loadReturns({ api, client, signal, pageSize }: LoadOptions, heads: ObservedHeads): Promise<number> {
  let loaded = 0;
  for await (const page of listReturns(api, pageSize)) {
    signal.throwIfAborted();
    await insertListedReturns(client, page);
    loaded += page.length;
    await heads.record();
  }
  return loaded;
}
