import { upstreamError } from '@waggle/contracts';
import { ConcurrencyLimiter } from '@waggle/service';

/** Maximum number of posts that are read without a slot of `longReads`. */
export const maxShortRead = 100;

/**
 * Runs reads of many posts two at a time, so that they leave memory and database connections to other calls. Rejects
 * with an RpcError if too many wait.
 */
export const longReads = new ConcurrencyLimiter({ maxRunning: 2, maxQueued: 100, maxWaitMs: 2_000 }, () =>
  upstreamError('overloaded'),
);
