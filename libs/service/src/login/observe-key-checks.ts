import { type KeyChecksOptions } from '@waggle/chain';
import { Counter, type Registry } from 'prom-client';
import { type Logger } from '../observability/logging';
import { ThrottledLog } from '../observability/throttled-log';

/**
 * Counts the results of key checks, and logs failures to reach the chain once per period.
 *
 * @param name of the counter; each service has its own
 */
export function observeKeyChecks(
  name: string,
  registry: Registry,
  logger: Logger,
): Pick<KeyChecksOptions, 'onResult' | 'onFailure'> {
  const results = new Counter<'result'>({
    name,
    help: 'Checks whether the key of a session still has authority, by result',
    labelNames: ['result'],
    registers: [registry],
  });
  const failures = ThrottledLog.errors(logger, 'cannot check whether the key of a session still has authority');
  return {
    onResult: (result) => {
      results.inc({ result });
    },
    onFailure: (error) => {
      failures.log(error);
    },
  };
}
