import { listReadsInterceptor } from '@waggle/service';
import { findAccountOf } from './session.guard';

/** Queues handlers that read lists. Runs after `SessionGuard`. */
export const ListReadsInterceptor = listReadsInterceptor(findAccountOf);
