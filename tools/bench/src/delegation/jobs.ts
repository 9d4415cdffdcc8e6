import { z } from 'zod';

/**
 * Requests the accounts in turn from each target in turn, over this many connections with one request in flight each.
 */
export const readsJob = z.object({
  url: z.string(),
  /** Each with a query that the account is appended to: `/api/deleg/in?account=`. */
  targets: z.array(z.string()).nonempty(),
  accounts: z.array(z.string()),
  connections: z.number(),
  warmUpMs: z.number(),
  measuredMs: z.number(),
});
export type ReadsJob = z.infer<typeof readsJob>;
