import { z } from 'zod';
import { restError, type RestError } from '../rest-error';

/** The codes of REST errors of the video log-in, each with its HTTP status. */
export const videoAuthRestErrors = {
  'invalid-request': 400,
  'account-mismatch': 400,
  'account-not-found': 400,
  'unsupported-network': 400,
  'challenge-required': 400,
  'invalid-signature': 401,
  'proof-expired': 401,
  'proof-replayed': 401,
  'invalid-challenge': 401,
  unauthenticated: 401,
  'not-found': 404,
  'rate-limited': 429,
  'chain-unavailable': 503,
  unavailable: 503,
} as const;
export type VideoAuthErrorCode = keyof typeof videoAuthRestErrors;

/**
 * The body of every REST error of the video log-in: the fields of the other services, and two that existing clients
 * read.
 */
export const videoAuthErrorBody = restError.extend({
  reason: z.string().meta({ description: 'Same as `message`' }),
  errorType: z.string().meta({ description: 'The code in upper case, such as `INVALID_SIGNATURE`' }),
});
export type VideoAuthErrorBody = z.infer<typeof videoAuthErrorBody>;

export function toVideoAuthErrorBody(error: RestError): VideoAuthErrorBody {
  return { ...error, reason: error.message, errorType: error.code.toUpperCase().replaceAll('-', '_') };
}
