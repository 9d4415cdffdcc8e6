import {
  getDynamicGlobalProperties,
  type HiveApi,
  type HiveClientOptions,
  HiveNodesUnavailableError,
  type NodeChange,
} from '@waggle/chain';
import { Counter, type Registry } from 'prom-client';
import { unavailable } from '../errors/errors';
import { AwaitedDependency } from '../observability/awaited-dependency';
import { type Logger } from '../observability/logging';

/** The observers of a `HiveClient`: every call is counted, and every change of a node's state is a log line. */
export type HiveClientObserver = Required<Pick<HiveClientOptions, 'onOutcome' | 'onNodeChange'>>;

/** Observes the Hive clients of a process. Call it once per registry. */
export function observeHiveClient(registry: Registry, logger: Logger): HiveClientObserver {
  return { onOutcome: countHiveCalls(registry), onNodeChange: logNodeChanges(logger) };
}

/** Counts calls to each Hive node by outcome, so that a failing node shows before the last working one fails. */
export function countHiveCalls(registry: Registry): HiveClientObserver['onOutcome'] {
  const calls = new Counter({
    name: 'hive_node_calls_total',
    help: 'Calls to Hive API nodes by node, method and outcome',
    labelNames: ['node', 'method', 'outcome'],
    registers: [registry],
  });
  return ({ node, method, outcome }) => {
    calls.inc({ node, method, outcome });
  };
}

/** Writes one line for each change of a node: which calls it no longer gets, or gets again, and why. */
export function logNodeChanges(logger: Logger): (change: NodeChange) => void {
  return ({ change, ...rest }) => {
    const level = change === 'restored' || change === 'synced' ? 'info' : 'warn';
    logger[level](rest, `Hive node ${change}`);
  };
}

/**
 * Waits in the background until a Hive node responds once. A service that verifies signatures serves meanwhile, so that
 * existing sessions work, and is not ready. Later failures do not make it unready: most requests need no node, and all
 * instances share the nodes.
 */
export function awaitHiveNode(hive: HiveApi, logger: Logger): AwaitedDependency {
  const node = new AwaitedDependency({ name: 'hive', check: () => getDynamicGlobalProperties(hive) }, logger);
  void node.wait();
  return node;
}

/**
 * Maps errors of a call of Hive nodes to a `ServiceError`.
 *
 * @param code of the error; default `unavailable`
 * @throws ServiceError if no Hive node responds
 */
export async function mapHiveErrors<T>(call: Promise<T>, code?: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof HiveNodesUnavailableError ? unavailable('The Hive network', error, code) : error;
  }
}
