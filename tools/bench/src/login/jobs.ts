import { z } from 'zod';

/** Logs in as fast as it is answered, with so many log-ins under way; measures once so many have warmed the server up. */
const rateJob = z.object({
  kind: z.literal('rate'),
  url: z.string(),
  accounts: z.array(z.string()),
  signed: z.number(),
  atOnce: z.number(),
  warmUpLogins: z.number(),
  measuredMs: z.number(),
});
export type RateJob = z.infer<typeof rateJob>;

/** Logs in to one account so many times, all at once. */
const burstJob = z.object({ kind: z.literal('burst'), url: z.string(), account: z.string(), count: z.number() });
export type BurstJob = z.infer<typeof burstJob>;

/** What the load generator is told. */
export const job = z.discriminatedUnion('kind', [rateJob, burstJob]);
export type Job = z.infer<typeof job>;

/** `busy`: the share of one core that the load generator took. `problem`: why the number does not count. */
export const rateResult = z.object({ perSecond: z.number(), busy: z.number(), problem: z.string().optional() });
export type RateResult = z.infer<typeof rateResult>;

export const burstResult = z.object({ tokens: z.number() });
export type BurstResult = z.infer<typeof burstResult>;
