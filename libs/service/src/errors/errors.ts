import { type LimitName } from './limit-names';

/**
 * An error with a stable code. It is thrown once, where the rule is known, and mapped once at each edge (REST,
 * WebSocket, JSON-RPC). The message is for people and contains no secrets.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly code: string,
    message: string,
    /** `retryAfterMs`: when a retry may succeed. `limit`: the limit that was exceeded. `cause`: for the log only. */
    readonly details: { retryAfterMs?: number; limit?: LimitName; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/** A `ServiceError` with a code of one API. */
export class CodedError<Code extends string> extends ServiceError {
  constructor(
    override readonly code: Code,
    message: string,
    details?: ServiceError['details'],
  ) {
    super(code, message, details);
  }
}

/**
 * The error for a dependency that does not respond: the request may be valid and can be retried.
 *
 * @param code the service's own code for it
 */
export function unavailable(what: string, cause?: unknown, code = 'unavailable'): ServiceError {
  return new ServiceError(code, `${what} does not respond at the moment`, { retryAfterMs: 1_000, cause });
}
