import { setTimeout } from 'node:timers/promises';
import { getBlockRange, getDynamicGlobalProperties, type HiveApi } from '@waggle/chain';
import { type Logger, ThrottledLog } from '@waggle/service';
import { type ClientBase } from 'pg';
import { insertIndexState } from '../../index-state/index-state.statements';
import { Heads } from './heads';
import { insertListed, insertListedReturns, sumBalances } from './load-statements';
import { listDelegations, listReturns } from './node-lists';

/**
 * The blocks are followed from so far before the last irreversible one: a URL may stand for several nodes, of which one lags,
 * and twenty blocks is where one counts as lagging.
 */
const marginBlocks = 40;

/** How often the node is asked whether what was read is irreversible by now. */
const pollMs = 1_000;

export interface Loading {
  /** Of one node alone: the pages must be of ever later moments. */
  readonly api: HiveApi;
  readonly client: ClientBase;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Delegations that the node is asked for at once. */
  readonly listedAtOnce: number;
  /** Told how many delegations are loaded. */
  readonly onProgress: (delegations: number) => void;
}

/** A block was undone in whose time a page was read: it may tell of what never was. Reading anew helps. */
export class UndoneBlockError extends Error {
  override readonly name = 'UndoneBlockError';

  constructor(readonly block: number) {
    super(`block ${block} was undone while the current state was read`);
  }
}

/**
 * Loads all delegations and pending returns that a node has into the empty database, in one transaction.
 *
 * Each page is of another moment. Operations are absolute, so following the blocks from before the first page makes the
 * delegations right as soon as the last page's block is applied (`loadedTo`); until then there are no answers. A node
 * answers of blocks that are not irreversible yet: the load waits until they are, and is done anew where one was undone.
 *
 * @throws UndoneBlockError
 */
export async function loadCurrentState(loading: Loading): Promise<void> {
  const { api, client, logger, signal } = loading;
  const heads = new Heads(api);
  const { irreversible } = await heads.note();
  const loadedFrom = Math.max(0, irreversible - marginBlocks);
  const [before] = loadedFrom === 0 ? [] : await getBlockRange(api, loadedFrom, 1);

  await client.query('BEGIN');
  const delegations = await loadDelegations(loading, heads);
  const { head: loadedTo } = await heads.note();
  const returns = await loadReturns(loading, heads);
  const { head: returnsLoadedTo } = await heads.note();
  await sumBalances(client);
  logger.info({ delegations, returns, until: returnsLoadedTo }, 'loaded; waiting until what was read is irreversible');
  const irreversibleBlock = await untilIrreversible(returnsLoadedTo, { api, client, signal });
  const undone = await heads.findUndone();
  if (undone !== undefined) throw new UndoneBlockError(undone);
  await insertIndexState(client, {
    syncedBlock: loadedFrom,
    syncedTime: before?.timestamp ?? null,
    irreversibleBlock,
    loadedFrom,
    loadedTo,
    returnsLoadedTo,
    historyFrom: loadedFrom + 1,
    asOfFrom: loadedTo,
    backfillFrom: null,
    nextDelegationId: delegations + 1,
  });
  await client.query('COMMIT');
}

async function loadDelegations(loading: Loading, heads: Heads): Promise<number> {
  const { api, client, logger, signal, listedAtOnce, onProgress } = loading;
  const line = new ThrottledLog<number>(
    (_leftOut, delegations) => {
      logger.info({ delegations }, 'loading the current delegations from a node');
    },
    { kindOf: () => 'progress' },
  );
  let loaded = 0;
  for await (const page of listDelegations(api, listedAtOnce)) {
    signal.throwIfAborted();
    await insertListed(client, page, 1 + loaded);
    loaded += page.length;
    await heads.note();
    onProgress(loaded);
    line.log(loaded);
  }
  return loaded;
}

async function loadReturns({ api, client, signal, listedAtOnce }: Loading, heads: Heads): Promise<number> {
  let loaded = 0;
  for await (const page of listReturns(api, listedAtOnce)) {
    signal.throwIfAborted();
    await insertListedReturns(client, page);
    loaded += page.length;
    await heads.note();
  }
  return loaded;
}

/** @returns the last irreversible block, which is this one or a later one */
async function untilIrreversible(
  block: number,
  { api, client, signal }: Pick<Loading, 'api' | 'client' | 'signal'>,
): Promise<number> {
  for (;;) {
    const { lastIrreversibleBlockNumber: last } = await getDynamicGlobalProperties(api);
    if (last >= block) return last;
    await setTimeout(pollMs, undefined, { signal });
    // The server ends a transaction in which nothing happens.
    await client.query('SELECT 1');
  }
}
