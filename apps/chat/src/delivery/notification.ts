import { z } from 'zod';
import { chatEvent, entries } from '../log/entry-schema';

/** What instances publish to each other over the bus. An instance that misses one reads the database. */
export const notification = z.discriminatedUnion('kind', [
  /** Entries that were committed, and on which timeline of the database. */
  z.object({ kind: z.literal('entries'), entries, timeline: z.string() }),
  /** An event that is not stored, for the subscribers of the topic. */
  z.object({ kind: z.literal('ephemeral'), event: chatEvent }),
]);
export type Notification = z.infer<typeof notification>;
