import { z } from 'zod';

/** Posts one call after another over so many connections. The number in the place of `#` goes from 0 to one less than `count`, and round again. */
export const callsJob = z.object({
  url: z.string(),
  path: z.string(),
  body: z.string(),
  count: z.number(),
  connections: z.number(),
  warmUpMs: z.number(),
  measuredMs: z.number(),
});
export type CallsJob = z.infer<typeof callsJob>;

/** `busy`: the share of one core that the load generator took while it measured; near 1 it is what limits. */
export const callsResult = z.object({ perSecond: z.number(), busy: z.number(), failures: z.array(z.string()) });
export type CallsResult = z.infer<typeof callsResult>;
