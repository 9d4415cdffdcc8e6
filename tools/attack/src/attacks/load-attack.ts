import { type z } from 'zod';
import { type LoadAttack, type Observer, type Size } from '../attack';
import { type Attacker } from '../attacker/attacker';
import { type Target } from '../target/target';

interface Definition<Schema extends z.ZodType> extends Pick<
  LoadAttack,
  'name' | 'summary' | 'services' | 'isDistributed'
> {
  job: Schema;
  prepare: (target: Target, size: Size) => Promise<z.infer<Schema>>;
  run: (job: z.infer<Schema>, attacker: Attacker) => Promise<void>;
  observe?: (target: Target, job: z.infer<Schema>) => Promise<Observer>;
}

/** An attack whose job goes from one process to the other by its schema. */
export function loadAttack<Schema extends z.ZodType>({ job, run, observe, ...rest }: Definition<Schema>): LoadAttack {
  return {
    kind: 'load',
    ...rest,
    run: (given, attacker) => run(job.parse(given), attacker),
    ...(observe && { observe: (target: Target, given: unknown) => observe(target, job.parse(given)) }),
  };
}
