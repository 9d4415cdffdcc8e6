import { jsonSchemaOf, type JsonSchema } from '@waggle/service';
import { z } from 'zod';
import { eventErrors } from '../events/event-errors';
import { eventsQuery, maxAccounts } from '../events/events-query';
import { resetReasons } from '../events/event-stream';
import { notificationEvent, exampleItems } from '../local/declaration/results';
import { apiVersion } from '../local/open-rpc';

const description = `Notifications as they become irreversible, as server-sent events
([HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html)). Everything is public; there is no authentication. The
JSON-RPC methods of this service are described by OpenRPC, at \`/docs/openrpc.json\`.`;

const streamDescription = `A stream without an end. Its lines:

- \`event: notification\`: the data is a \`NotificationEvent\`. On one connection each notification is sent once, by ascending \`id\`.
- \`event: reset\`: notifications may be missing. The data is a \`ResetEvent\`; load what you show, for example with
  \`bridge.account_notifications\`. The stream goes on with new notifications.
- \`id\`: the position after the event. It also comes alone, with a comment, while there are no events. Send the last one to continue
  after it, on any instance. It is opaque.
- \`retry\`: how long to wait before the next connection, in milliseconds. The gateway ends streams before it shuts down.
- Lines that begin with a colon are comments. There is one at least every 15 s by default.

Notifications that were taken back, such as those of a mention that was edited out, are not sent to clients that resume later.`;

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The last `id` that was received; `EventSource` sends it by itself. Without it the stream begins with the next notification',
  schema: { type: 'string' },
};

const errorSchema = jsonSchemaOf(
  z.object({
    statusCode: z.int(),
    error: z.string(),
    code: z.string(),
    message: z.string(),
    requestId: z.string(),
  }),
  'output',
).schema;

const reset = z.strictObject({ reason: z.enum(resetReasons) });

/** The description of `GET /events`, as OpenAPI 3.1. */
export function openApiDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: { title: 'Waggle RPC gateway: events', description, version: apiVersion, license: { name: 'MIT' } },
    paths: {
      '/events': {
        get: {
          operationId: 'Events.open',
          summary: `The notifications of up to ${maxAccounts} accounts`,
          security: [],
          parameters: [
            ...Object.entries(eventsQuery.shape).map(([name, schema]) => parameterOf(name, schema)),
            lastEventId,
          ],
          responses: {
            200: {
              description: streamDescription,
              content: { 'text/event-stream': { schema: { type: 'string' }, example: exampleStream() } },
            },
            400: errorOf('Bad Request', 'invalid-request'),
            429: errorOf('Too Many Requests', 'rate-limited'),
            431: errorOf('Request Header Fields Too Large', 'too-large'),
            503: errorOf('Service Unavailable', 'unavailable', 'index-incomplete'),
          },
        },
      },
    },
    components: {
      schemas: {
        NotificationEvent: jsonSchemaOf(notificationEvent, 'output').schema,
        ResetEvent: jsonSchemaOf(reset, 'output').schema,
        Error: errorSchema,
      },
    },
  };
}

function parameterOf(name: string, schema: z.ZodType) {
  const { description: text, ...rest } = jsonSchemaOf(schema, 'input').schema;
  return { name, in: 'query', required: !schema.safeParse(undefined).success, description: text, schema: rest };
}

function errorOf(status: string, ...codes: string[]) {
  return {
    description: `${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    ...(codes.some((code) => code in eventErrors) && {
      headers: { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } },
    }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
}

function exampleStream(): string {
  const [item] = exampleItems;
  const data = JSON.stringify({ account: 'alice', ...item });
  return `retry: 2000\n\nid: 0a1b2c3d-${item?.id}\nevent: notification\ndata: ${data}\n\n`;
}
