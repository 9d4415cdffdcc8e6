import { z } from 'zod';

/** The body of every REST error: the framework's own shape plus a stable `code` and the id of the request. */
export const restError = z.object({
  statusCode: z.int().meta({ description: 'HTTP status, as in the status line' }),
  error: z.string().meta({ description: 'Reason phrase of the status' }),
  code: z.string().meta({ description: 'Stable kebab-case code for programs' }),
  message: z.string().meta({ description: 'For people; may change' }),
  requestId: z.string().meta({ description: 'Also in the X-Request-Id header and in the logs of the service' }),
  limit: z
    .string()
    .optional()
    .meta({ description: 'With 429: the limit that was reached, such as `requests-per-minute`' }),
});
export type RestError = z.infer<typeof restError>;
