import { z } from 'zod';

/** The input of an attacker's process. */
export const order = z.object({
  /** Sequences of attacks that run in parallel. */
  sequences: z.array(z.array(z.object({ name: z.string(), job: z.unknown() }))),
  /** In milliseconds since 1970. The process is started earlier, since loading its code occupies a processor. */
  startsAtMs: z.number(),
  seconds: z.number().positive().max(86_400),
  rate: z.number().positive().max(1),
  /** Whether an attack ends as soon as the service limits it. Then latencies are not compared. */
  endsWhenLimited: z.boolean(),
});
export type Order = z.infer<typeof order>;

/** The line that an attacker's process prints: the counts of each attack. */
export const allCounts = z.record(z.string(), z.record(z.string(), z.number()));
