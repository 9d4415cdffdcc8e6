import { type HiveClientOptions } from '@waggle/chain';
import { Counter, type Registry } from '@waggle/service';

/** Counts the calls to each Hive node by how they ended, so that a bad node is seen before the last good one is. */
export function countHiveCalls(registry: Registry): NonNullable<HiveClientOptions['onOutcome']> {
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
