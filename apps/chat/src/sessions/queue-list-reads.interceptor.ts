import { queueListReads } from '@waggle/service';
import { findAccountOf } from './access.guard';

/** Queues the reads of lists, so that each account has one running at a time. Runs after `AccessGuard`. */
export const QueueListReads = queueListReads(findAccountOf);
