import { type ExportLimits } from '@waggle/service';

/** The settings of the `Responder`. */
export interface ResponseSettings {
  /** CSV exports. */
  readonly exports: ExportLimits;
  /**
   * Requests as of an earlier block whose cost grows with the account: the maximum number of concurrent ones of a
   * client.
   */
  readonly pastRequests: { readonly maxConcurrent: number };
}

/** Injects the `ResponseSettings`. */
export const RESPONSE_SETTINGS = Symbol('ResponseSettings');
