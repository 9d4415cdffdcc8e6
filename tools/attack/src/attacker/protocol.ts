import { z } from 'zod';

/** What an attacker's process is to do. */
export const order = z.object({
  /** Attacks that run side by side, each with those that follow it. */
  sequences: z.array(z.array(z.object({ name: z.string(), job: z.unknown() }))),
  seconds: z.number().positive().max(86_400),
  rate: z.number().positive().max(1),
  /** Whether an attack ends as soon as the service has limited it. Then latencies are not compared. */
  endsWhenLimited: z.boolean(),
});
export type Order = z.infer<typeof order>;
