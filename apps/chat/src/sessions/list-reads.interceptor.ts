import { listReadsInterceptor } from '@waggle/service';
import { findAccountOf } from './access.guard';

/** Queues handlers that read lists. Runs after `AccessGuard`. */
export const ListReadsInterceptor = listReadsInterceptor(findAccountOf);
