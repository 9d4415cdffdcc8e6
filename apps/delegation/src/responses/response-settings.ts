import { type PaceLimits } from './reader-pace';

export interface ResponseSettings {
  /**
   * CSV exports: the maximum number of concurrent ones, the longest duration of one, and the pace of readers, which
   * only tests change.
   */
  readonly exports: { readonly maxConcurrent: number; readonly maxDurationMs: number; readonly pace?: PaceLimits };
  /**
   * Requests as of an earlier block whose cost grows with the account: the maximum number of concurrent ones of a
   * client.
   */
  readonly pastRequests: { readonly maxConcurrent: number };
}

/** Injects the `ResponseSettings`. */
export const RESPONSE_SETTINGS = Symbol('ResponseSettings');
