/** The base class of all errors of this library. */
export class ChatClientError extends Error {
  override name = 'ChatClientError';
}

/** The service rejected a request. */
export class RejectedError extends ChatClientError {
  override readonly name = 'RejectedError';

  constructor(
    /** Stable, such as `not-found`: see the codes in the API descriptions. */
    readonly code: string,
    message: string,
    readonly details: {
      /** The HTTP status of a REST request. */
      status?: number | undefined;
      /** When to retry, if a retry can help. */
      retryAfterMs?: number | undefined;
      requestId?: string | undefined;
      /** When the service responded, by its clock in milliseconds since 1970, rounded down to a second. */
      respondedAtMs?: number | undefined;
    } = {},
  ) {
    super(message);
  }

  get status(): number | undefined {
    return this.details.status;
  }

  get retryAfterMs(): number | undefined {
    return this.details.retryAfterMs;
  }
}

/** A REST request got no response: no network, no service, or not in time. */
export class UnreachableError extends ChatClientError {
  override readonly name = 'UnreachableError';
}

/** The connection was lost before the reply; the request may have taken effect. */
export class ConnectionLostError extends ChatClientError {
  override readonly name = 'ConnectionLostError';
}

/** There was no reply in time. */
export class TimeLimitError extends ChatClientError {
  override readonly name = 'TimeLimitError';

  constructor(
    message: string,
    /** Whether the request was sent: if so, it may have taken effect. */
    readonly wasSent: boolean,
  ) {
    super(message);
  }
}

/** The outbox is full. */
export class OutboxFullError extends ChatClientError {
  override readonly name = 'OutboxFullError';
}

/** The `clientId` belongs to another message in the outbox. */
export class ClientIdInUseError extends ChatClientError {
  override readonly name = 'ClientIdInUseError';
}

/**
 * Why a chat ended: it was closed, its session was revoked, its credentials are no longer valid, or no WebSocket can be
 * created, for example because the URL is invalid.
 */
export type EndReason = 'closed' | 'session-revoked' | 'log-in-rejected' | 'no-websocket';

/** The chat has ended; pending requests are not sent. */
export class EndedError extends ChatClientError {
  override readonly name = 'EndedError';

  constructor(
    readonly reason: EndReason,
    options?: ErrorOptions,
  ) {
    super(`The chat has ended: ${reason}`, options);
  }
}

/** This library does not understand the response of the service. */
export class UnexpectedResponseError extends ChatClientError {
  override readonly name = 'UnexpectedResponseError';

  constructor(path: string) {
    super(`The response of ${path} is not understood`);
  }
}
