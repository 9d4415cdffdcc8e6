/** Everything that this library throws or rejects with. */
export class ChatClientError extends Error {
  override name = 'ChatClientError';
}

/** The service answered that it will not. */
export class RefusedError extends ChatClientError {
  override readonly name = 'RefusedError';

  constructor(
    /** Stable, such as `not-found`: see the codes in the API descriptions. */
    readonly code: string,
    message: string,
    readonly details: {
      /** HTTP status, where it was a request. */
      status?: number | undefined;
      /** When to try again, where trying again can help. */
      retryAfterMs?: number | undefined;
      requestId?: string | undefined;
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

/** A request got no answer: no network, no service, or not within the time. */
export class UnreachableError extends ChatClientError {
  override readonly name = 'UnreachableError';
}

/** The connection was lost before the answer came: it is not known whether it was done. */
export class ConnectionLostError extends ChatClientError {
  override readonly name = 'ConnectionLostError';
}

/** No answer within the time. */
export class TimeLimitError extends ChatClientError {
  override readonly name = 'TimeLimitError';

  constructor(
    message: string,
    /** False: there was no connection, and nothing was done. True: it is not known whether it was done. */
    readonly wasSent: boolean,
  ) {
    super(message);
  }
}

/** So many messages wait already that another one is not taken. */
export class OutboxFullError extends ChatClientError {
  override readonly name = 'OutboxFullError';
}

/** The caller's own `clientId` is that of another message, which still waits. */
export class ClientIdInUseError extends ChatClientError {
  override readonly name = 'ClientIdInUseError';
}

/** Why a chat is over: closed by its user, the session revoked (elsewhere, say), or credentials that count no more. */
export type EndReason = 'closed' | 'session-revoked' | 'log-in-refused';

/** The chat is over; what was not done is not done any more. */
export class EndedError extends ChatClientError {
  override readonly name = 'EndedError';

  constructor(
    readonly reason: EndReason,
    options?: ErrorOptions,
  ) {
    super(`The chat has ended: ${reason}`, options);
  }
}

/** The service answered something that this library does not understand. */
export class UnexpectedAnswerError extends ChatClientError {
  override readonly name = 'UnexpectedAnswerError';
}
