import { z } from 'zod';

/** Requests the accounts in turn from each target in turn, over this many connections with one request in flight each. */
export const readsJob = z.object({
  url: z.string(),
  /** Each with a query to which the account is appended: `/api/deleg/in?account=`. */
  targets: z.array(z.string()).nonempty(),
  accounts: z.array(z.string()),
  connections: z.number(),
  warmUpMs: z.number(),
  measuredMs: z.number(),
});
export type ReadsJob = z.infer<typeof readsJob>;

/** `busy`: the share of one core that the load generator used; near 1, it is the limit. */
export const readsResult = z.object({ perSecond: z.number(), busy: z.number(), failures: z.array(z.string()) });
export type ReadsResult = z.infer<typeof readsResult>;
