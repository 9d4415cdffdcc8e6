import { Counter, type Logger, RepeatedLine, unavailable, type Registry } from '@waggle/service';
import { type KeyAnswer, type KeyChecksOptions } from '../accounts/key-checks';
import { HiveNodesUnavailableError } from './errors';
import { type HiveClientOptions } from './hive-client';
import { type NodeChange } from './node-health';

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

/** Writes one line for each change of a node: which calls it gets no longer, or again, and why. */
export function logNodeChanges(logger: Logger): (change: NodeChange) => void {
  return ({ change, ...rest }) => {
    const isBad = change === 'ejected' || change === 'lagging';
    logger[isBad ? 'warn' : 'info'](rest, `Hive node ${change}`);
  };
}

/**
 * Counts the answers to key checks, and logs why the chain could not be asked, once per period.
 *
 * @param name of the counter; each service has its own
 */
export function reportKeyChecks(
  name: string,
  registry: Registry,
  logger: Logger,
): Pick<KeyChecksOptions, 'onAnswer' | 'onFailure'> {
  const answers = new Counter<'answer'>({
    name,
    help: 'Questions whether the key of a session still suffices, by what the chain answered',
    labelNames: ['answer'],
    registers: [registry],
  });
  const failures = new RepeatedLine((leftOut, err) => {
    logger.error({ err, leftOut }, 'cannot ask whether the key of a session still suffices');
  });
  return {
    onAnswer: (answer: KeyAnswer) => {
      answers.inc({ answer });
    },
    onFailure: (error) => {
      failures.say(error);
    },
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
