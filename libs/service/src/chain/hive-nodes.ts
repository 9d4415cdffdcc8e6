import { type HiveClientOptions, type NodeChange } from '@waggle/chain';
import { Counter, type Registry } from 'prom-client';
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
    const isGood = change === 'restored' || change === 'synced';
    logger[isGood ? 'info' : 'warn'](rest, `Hive node ${change}`);
  };
}
