import { randomUUID } from 'node:crypto';
import { type IncomingMessage } from 'node:http';

/** Takes the caller's X-Request-Id where it is harmless in a log line and a header, else makes one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}
