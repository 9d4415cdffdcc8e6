import { queueListReads } from '@waggle/service';
import { findAccountOf } from './session.guard';

/** Queues the reads of lists, so that each account runs one at a time. It runs after `SessionGuard`. */
export const QueueListReads = queueListReads(findAccountOf);
