import { z } from 'zod';

/**
 * Posts calls over connections with one call in flight each. `#` in the body is replaced by the values in turn, or
 * without values by the numbers from 0 to `count` - 1.
 */
const callsJob = z.object({
  kind: z.literal('calls'),
  url: z.string(),
  path: z.string(),
  body: z.string(),
  count: z.number(),
  values: z.array(z.string()).optional(),
  connections: z.number(),
  warmUpMs: z.number(),
  measuredMs: z.number(),
});
export type CallsJob = z.infer<typeof callsJob>;

/** Opens event streams of one account each, and keeps them open. */
const streamsJob = z.object({
  kind: z.literal('streams'),
  url: z.string(),
  streams: z.number(),
  accounts: z.number(),
});
export type StreamsJob = z.infer<typeof streamsJob>;
export const streamsResult = z.object({ open: z.number() });

/** Opens event streams, and commits blocks with notifications for them. */
const delayJob = streamsJob.extend({
  kind: z.literal('delay'),
  databaseUrl: z.string(),
  blocks: z.number(),
  notificationsOfBlock: z.number(),
  maxPauseMs: z.number(),
});
export type DelayJob = z.infer<typeof delayJob>;
/**
 * From the commit of a block until a client receives its events, in milliseconds. `lost`: events that did not arrive.
 */
export const delayResult = z.object({ p50Ms: z.number(), p99Ms: z.number(), events: z.number(), lost: z.number() });
export type DelayResult = z.infer<typeof delayResult>;

export const loadJob = z.discriminatedUnion('kind', [callsJob, streamsJob, delayJob]);
