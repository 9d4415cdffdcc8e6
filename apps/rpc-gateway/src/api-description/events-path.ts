import { eventsQuery } from '../events/events-query';
import { maxAccountsPerStream } from '../events/stream-limits';
import { exampleItems } from '../local/declaration/results';
import { errorResponse, errorResponses, queryParameters } from './operation';

const streamDescription = `A stream without an end. Its lines:

- \`event: notification\`: the data is a \`NotificationEvent\`. On one connection each notification is sent once, by ascending \`id\`.
- \`event: reset\`: notifications may be missing. The data is a \`ResetEvent\`; load what you show, for example with
  \`bridge.account_notifications\`. The stream goes on with new notifications.
- \`id\`: the position after the event. It also comes alone, with a comment, while there are no events. Send the last one to continue
  after it, on any instance. It is opaque.
- \`retry\`: how long to wait before the next connection, in milliseconds. The gateway ends streams before it shuts down.
- Lines that begin with a colon are comments. While there are no events, one comes about every 15 s by default.

A notification that was retracted because an edit removed the mention is not replayed on resume.`;

const lastEventId = {
  name: 'Last-Event-ID',
  in: 'header',
  description:
    'The last `id` that was received; `EventSource` sends it by itself. Without it the stream begins with the next notification',
  schema: { type: 'string' },
};

const indexHeader = (description: string) => ({ description, schema: { type: 'integer' } });
const headers = {
  'X-Gateway-Index-Block': indexHeader('The last block of the index when the stream begins; absent if it has none'),
  'X-Gateway-Index-Lag': indexHeader('How many seconds the index is then behind the last irreversible block'),
};

export const eventsPath = {
  get: {
    operationId: 'Events.open',
    summary: `The notifications of up to ${maxAccountsPerStream} accounts, as server-sent events`,
    security: [],
    parameters: [...queryParameters(eventsQuery), lastEventId],
    responses: {
      200: {
        description: streamDescription,
        headers,
        content: { 'text/event-stream': { schema: { type: 'string' }, example: exampleStream() } },
      },
      ...errorResponses('invalid-request', 'rate-limited', 'unavailable', 'index-incomplete'),
      431: errorResponse(431, 'too-large'),
    },
  },
};

function exampleStream(): string {
  const [item] = exampleItems;
  const data = JSON.stringify({ account: 'alice', ...item });
  return `retry: 2000\n\nid: 0a1b2c3d-${item?.id}\nevent: notification\ndata: ${data}\n\n`;
}
