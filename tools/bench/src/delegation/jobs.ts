import { z } from 'zod';

/** Requests the accounts in turn from each target in turn, over this many connections with one request in flight each. */
const readsJob = z.object({
  kind: z.literal('reads'),
  url: z.string(),
  /** With a query to which the account is added: `/api/deleg/in?account=`. */
  targets: z.array(z.string()).nonempty(),
  accounts: z.array(z.string()),
  connections: z.number(),
  warmUpMs: z.number(),
  measuredMs: z.number(),
});
export type ReadsJob = z.infer<typeof readsJob>;

/** Fetches again what was fetched of the chain before, and parses it. */
const fetchJob = z.object({ kind: z.literal('fetch'), url: z.string(), lastBlock: z.number() });
export type FetchJob = z.infer<typeof fetchJob>;

/** What a load generator is told. */
export const job = z.discriminatedUnion('kind', [readsJob, fetchJob]);
export type Job = z.infer<typeof job>;

/** `busy`: the share of one core that the load generator took while it measured; near 1 it is what limits. */
export const readsResult = z.object({ perSecond: z.number(), busy: z.number(), failures: z.array(z.string()) });
export type ReadsResult = z.infer<typeof readsResult>;

export const fetchResult = z.object({ blocks: z.number(), seconds: z.number() });
export type FetchResult = z.infer<typeof fetchResult>;
