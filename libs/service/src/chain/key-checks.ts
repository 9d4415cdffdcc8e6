import { type KeyChecksOptions } from '@waggle/chain';
import { Counter, type Registry } from 'prom-client';
import { type Logger } from '../logging';
import { ThrottledLog } from '../throttled-log';

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
  const answers = new Counter<'answer'>({
    name,
    help: 'Questions whether the key of a session still suffices, by what the chain answered',
    labelNames: ['answer'],
    registers: [registry],
  });
  const failures = new ThrottledLog((leftOut, err) => {
    logger.error({ err, leftOut }, 'cannot ask whether the key of a session still suffices');
  });
  return {
    onResult: (answer) => {
      answers.inc({ answer });
    },
    onFailure: (error) => {
      failures.log(error);
    },
  };
}
