/**
 * A refusal or failure with a stable code. It is thrown once where the rule is known and mapped once at each edge
 * (REST, WebSocket, JSON-RPC); the message is for people and holds nothing secret.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly code: string,
    message: string,
    /** `retryAfterMs`: when trying again can help. `cause`: for the log only. */
    readonly details: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
  }
}

/**
 * Something we depend on does not answer: the request may be right and can be repeated.
 *
 * @param code where a service has one of its own for it
 */
export function unavailable(what: string, cause?: unknown, code = 'unavailable'): ServiceError {
  return new ServiceError(code, `${what} does not answer at the moment`, { retryAfterMs: 1_000, cause });
}
