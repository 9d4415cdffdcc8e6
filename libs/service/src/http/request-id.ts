import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** Returns the caller's X-Request-Id if it is safe in a log line and a header, otherwise a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
