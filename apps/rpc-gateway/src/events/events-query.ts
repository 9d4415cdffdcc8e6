import { accountName } from '@waggle/contracts';
import { z } from 'zod';
import { notificationTypes } from '../notifications/notification-types';
import { maxAccountsPerStream } from './stream-limits';

/** A required parameter that is given once. */
const once = z.string({
  error: ({ input }) => (Array.isArray(input) ? 'must not be given more than once' : 'is required'),
});

/** A list separated by commas. Repeated items count once. */
const list = once.transform((text) => [...new Set(text.split(',').map((item) => item.trim()))]);

const names = list.pipe(
  z.array(accountName).max(maxAccountsPerStream, {
    error: ({ input }) => `at most ${maxAccountsPerStream} accounts in one stream${butGot(input)}`,
  }),
);

/** An empty id is the same as none, as in the header. */
const eventId = once.transform((id) => id || undefined).optional();

const types = list.pipe(z.array(z.enum(notificationTypes, { error: `the types are ${notificationTypes.join(', ')}` })));

/**
 * The parameters of `GET /events`, the stream of notifications as server-sent events. A misspelled one would change
 * what a stream sends.
 */
export const eventsQuery = z.strictObject(
  {
    accounts: names.meta({
      description: `Names of Hive accounts, separated by commas, at most ${maxAccountsPerStream}. They need not exist yet`,
      examples: ['alice,bob'],
    }),
    types: types.optional().meta({
      description: `Types of notifications, separated by commas; by default all: ${notificationTypes.join(', ')}`,
      examples: ['reply,mention'],
    }),
    last_event_id: eventId.meta({
      description:
        'The id of the last event that was received, for clients that cannot send the header `Last-Event-ID`. If several are given, the header wins, then `lastEventId`',
    }),
    lastEventId: eventId.meta({ description: 'The same, as polyfills of `EventSource` append it to the URL' }),
    r: z.unknown().optional().meta({ description: 'Ignored; old polyfills of `EventSource` append a random number' }),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? unknownParameters(issue.keys) : undefined) },
);
export type EventsQuery = z.infer<typeof eventsQuery>;

/** The end of the message for a list that is too long. */
function butGot(input: unknown): string {
  return Array.isArray(input) ? `, not ${input.length}` : '';
}

function unknownParameters(names: readonly string[]): string {
  return `unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`;
}
