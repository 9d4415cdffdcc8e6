import { z } from 'zod';

/** Logs in as fast as possible with `concurrency` log-ins in flight, and measures after `warmUpLogins`. */
const rateJob = z.object({
  kind: z.literal('rate'),
  url: z.string(),
  accounts: z.array(z.string()),
  signed: z.number(),
  concurrency: z.number(),
  warmUpLogins: z.number(),
  measuredMs: z.number(),
});
export type RateJob = z.infer<typeof rateJob>;

/** Logs in to one account `count` times simultaneously. */
const burstJob = z.object({ kind: z.literal('burst'), url: z.string(), account: z.string(), count: z.number() });
export type BurstJob = z.infer<typeof burstJob>;

export const job = z.discriminatedUnion('kind', [rateJob, burstJob]);
export type Job = z.infer<typeof job>;

/** `busy`: the share of one core that the load generator used. `problem`: why the result is void. */
export const rateResult = z.object({ perSecond: z.number(), busy: z.number(), problem: z.string().optional() });
export type RateResult = z.infer<typeof rateResult>;

export const burstResult = z.object({ tokens: z.number() });
export type BurstResult = z.infer<typeof burstResult>;
