import { z } from 'zod';
import { chatEvent, entries } from './entry';

/** What one instance tells the others. Only its form is looked at; whoever misses it asks the database. */
export const hint = z.discriminatedUnion('kind', [
  /** What was committed. */
  z.object({ kind: z.literal('entries'), entries }),
  /** That the account hears the stream from now on; or, looked at `again`, perhaps no longer. */
  z.object({
    kind: z.literal('look'),
    account: z.string(),
    stream: z.string(),
    again: z.literal(true).optional(),
  }),
  /** Something that is not durable, for whoever hears the topic. */
  z.object({ kind: z.literal('mention'), event: chatEvent }),
]);
export type Hint = z.infer<typeof hint>;
