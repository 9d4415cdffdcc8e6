import { type z } from 'zod';
import { type Size } from '../target/size';
import { type Target } from '../target/target';
import { type AttackContext } from '../traffic/attack-context';
import { type LoadAttack, type Observer } from './attack';

interface Definition<Schema extends z.ZodType> extends Omit<LoadAttack, 'kind' | 'prepare' | 'run' | 'observe'> {
  job: Schema;
  prepare: (target: Target, size: Size) => Promise<z.infer<Schema>>;
  run: (job: z.infer<Schema>, context: AttackContext) => Promise<void>;
  observe?: (target: Target, job: z.infer<Schema>) => Promise<Observer>;
}

/** Creates an attack that checks its job with the schema when the attacker's process receives it. */
export function loadAttack<Schema extends z.ZodType>({ job, run, observe, ...rest }: Definition<Schema>): LoadAttack {
  return {
    kind: 'load',
    ...rest,
    run: (given, context) => run(job.parse(given), context),
    ...(observe && { observe: (target: Target, given: unknown) => observe(target, job.parse(given)) }),
  };
}
