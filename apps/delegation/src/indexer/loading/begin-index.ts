import { HiveClient } from '@waggle/chain';
import { type Logger } from '@waggle/service';
import { type HiveClientObserver, indexerNodeTimeouts } from '@waggle/service/chain';
import { type ClientBase } from 'pg';
import { findIndexState, getIndexState, insertIndexState } from '../../index-state/index-state.statements';
import { loadCurrentState, UndoneBlockError } from './load-current-state';

export interface LoadingSettings {
  readonly hive: { readonly nodes: string[] };
  /**
   * The source that fills an empty database: the current delegations of a node, or the blocks from the first one on.
   */
  readonly startFrom: 'current-state' | 'first-block';
  /** The first block to read, also for the backfill; there must be no older delegation. */
  readonly firstBlock: number;
  /** Page size of lists that are read from nodes. */
  readonly pageSize: number;
}

/** Options for the start of an index. */
export interface BeginIndexOptions {
  readonly config: LoadingSettings;
  readonly logger: Logger;
  readonly hiveObserver: HiveClientObserver;
  /** Called with the number of loaded delegations. */
  readonly onProgress: (delegations: number) => void;
}

/**
 * Starts an empty index with the first block, or with the current state of a node.
 *
 * @returns the number of the first block to apply
 */
export async function beginIndex(client: ClientBase, signal: AbortSignal, options: BeginIndexOptions): Promise<number> {
  const { config } = options;
  const begun = await findIndexState(client);
  // The index had begun, but the process ended before it applied a block.
  if (begun !== undefined) return begun.syncedBlock + 1;
  if (config.startFrom === 'current-state') await loadFromAny(client, signal, options);
  else await insertIndexState(client, nothingBefore(config.firstBlock));
  return (await getIndexState(client)).syncedBlock + 1;
}

/** Tries one node after another, and compares it with the others. @throws the error of the last one */
async function loadFromAny(client: ClientBase, signal: AbortSignal, options: BeginIndexOptions): Promise<void> {
  const { config, logger, hiveObserver, onProgress } = options;
  const { pageSize } = config;
  // With the shorter default timeouts: single blocks need less time than lists, and PostgreSQL ends a transaction that
  // is idle for long.
  const all = new HiveClient({ urls: config.hive.nodes, ...hiveObserver });
  const nodes = [...config.hive.nodes];
  try {
    for (let url = nodes.shift(); url !== undefined; url = nodes.shift()) {
      const api = new HiveClient({ urls: [url], ...hiveObserver, ...indexerNodeTimeouts });
      try {
        await loadCurrentState({ api, all, client, logger, signal, pageSize, onProgress });
        return;
      } catch (err) {
        signal.throwIfAborted();
        await client.query('ROLLBACK');
        logger.warn({ err, node: new URL(url).host }, 'the current state could not be loaded from a node');
        // An undone block is no error of the node, so the same one is tried again.
        if (err instanceof UndoneBlockError) nodes.unshift(url);
        else if (nodes.length === 0) throw err;
      } finally {
        await api.close();
      }
    }
  } finally {
    await all.close();
  }
}

/** An index of a chain without delegations before this block. */
function nothingBefore(firstBlock: number) {
  const before = firstBlock - 1;
  return {
    syncedBlock: before,
    syncedTime: null,
    irreversibleBlock: before,
    loadedFrom: before,
    loadedTo: before,
    returnsLoadedTo: before,
    historyFrom: firstBlock,
    asOfFrom: before,
    backfillFrom: null,
    nextDelegationId: 1,
  };
}
