import { z } from 'zod';
import { restError, type RestError } from '../rest-error';

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
