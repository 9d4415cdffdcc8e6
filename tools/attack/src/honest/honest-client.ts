import { type HttpResponse } from '../http-client';

/** What an honest client does again and again. */
export interface Operation {
  name: string;
  /** @returns what went wrong, `limited` where the service says when to come back; undefined when all is well */
  run: () => Promise<string | undefined>;
}

/** A client of one service that does the usual things. */
export interface HonestClient {
  /** Performed in turn. */
  operations: readonly Operation[];
  /** How many operations it begins in a second, whether or not the earlier ones are done. */
  perSecond: number;
  close: () => Promise<void>;
}

/** A documented refusal: the service says when to come back. */
export const limited = 'limited';

/** @returns as an operation does */
export function judgeResponse({ status, retryAfter }: HttpResponse): string | undefined {
  if (status < 400) return undefined;
  return (status === 429 || status === 503) && retryAfter !== undefined ? limited : `status ${status}`;
}
