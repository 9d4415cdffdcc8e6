import { queueListReads } from '@waggle/service';
import { findAccountOf } from './access.guard';

/** Queues the reads of lists, so that each account runs one at a time. It runs after `AccessGuard`. */
export const QueueListReads = queueListReads(findAccountOf);
