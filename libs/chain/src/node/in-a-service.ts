import { Counter, unavailable, type Registry } from '@waggle/service';
import { HiveNodesUnavailableError } from './errors';
import { type HiveClientOptions } from './hive-client';

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

/**
 * The answer of a Hive node.
 *
 * @throws ServiceError `unavailable`, or the service's own code for it, where no node gives one: that is nobody's mistake
 */
export async function answerOfHive<T>(answer: Promise<T>, code?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof HiveNodesUnavailableError ? unavailable('The Hive network', error, code) : error;
  }
}
