import { accountName } from '@waggle/contracts';
import { z } from 'zod';
import { notificationTypes } from '../notifications/notification-types';
import { maxAccountsPerStream } from './stream-limits';

/** A parameter that is given at most once. */
const text = z.string({
  error: ({ input }) => (Array.isArray(input) ? 'must not be given more than once' : 'is required'),
});

const names = text
  .transform((list) => [...new Set(list.split(',').map((name) => name.trim()))])
  .pipe(
    z.array(accountName).max(maxAccountsPerStream, {
      error: ({ input }) => `at most ${maxAccountsPerStream} accounts in one stream${countOf(input)}`,
    }),
  );

const types = text
  .transform((list) => [...new Set(list.split(',').map((type) => type.trim()))])
  .pipe(z.array(z.enum(notificationTypes, { error: `the types are ${notificationTypes.join(', ')}` })));

/** The parameters of `GET /events`. */
export const eventsQuery = z.object({
  accounts: names.meta({
    description: `Names of Hive accounts, separated by commas, at most ${maxAccountsPerStream}. They need not exist yet`,
    examples: ['alice,bob'],
  }),
  types: types.optional().meta({
    description: `Types of notifications, separated by commas; by default all: ${notificationTypes.join(', ')}`,
    examples: ['reply,mention'],
  }),
  last_event_id: text.optional().meta({
    description:
      'The id of the last event that was received, for clients that cannot send the header `Last-Event-ID`, which takes precedence',
  }),
});
export type EventsQuery = z.infer<typeof eventsQuery>;

function countOf(input: unknown): string {
  return Array.isArray(input) ? `, not ${input.length}` : '';
}

/** The HTTP status of each error code of `GET /events`, besides those of every service. */
export const eventErrors = { 'index-incomplete': 503, 'rate-limited': 429, unavailable: 503 } as const;
