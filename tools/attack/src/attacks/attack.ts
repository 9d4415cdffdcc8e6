import { type z } from 'zod';
import { type ServiceName } from '../target/services';
import { type Size } from '../target/size';
import { type Target } from '../target/target';
import { type AttackContext, type Counts } from '../traffic/attack-context';

/** An observation that belongs to a single attack, such as "victim disconnected: never". */
export interface Finding {
  what: string;
  value: string;
  /** Whether it shows that the service is not protected. */
  isFailure: boolean;
}

interface Common {
  name: string;
  /** What the attacker does, in one line. */
  summary: string;
  services: readonly ServiceName[];
}

/** Watches the effect of an attack on particular clients, in the process of the honest clients. */
export interface Observer {
  stop: () => Promise<Finding[]>;
}

/** An attack that loads a service. Runs in a process of its own, and is assessed by its effect on honest clients. */
export interface LoadAttack extends Common {
  kind: 'load';
  /** Whether it uses many addresses. Together they may slow a service down, but not stop it. */
  isDistributed?: boolean;
  /** Fills the databases and logs the attackers in. @returns the job for the attacker's process, as JSON */
  prepare: (target: Target, size: Size) => Promise<unknown>;
  /** Attacks until the signal is aborted. */
  run: (job: unknown, context: AttackContext) => Promise<void>;
  observe?: (target: Target, job: unknown) => Promise<Observer>;
  /** Returns whether the counts of the attacker show that it reached the limits under attack. */
  isLimited: (counts: Counts) => boolean;
  /** Counts that must stay 0. */
  forbidden?: readonly string[];
}

/** An attack on a rule: sends a few requests that the service must reject. */
export interface RuleAttack extends Common {
  kind: 'rule';
  attempt: (target: Target, size: Size) => Promise<Finding[]>;
}

export type Attack = LoadAttack | RuleAttack;

/** Returns the finding of a request that must be rejected. */
export function mustBeRejected(what: string, isAllowed: boolean): Finding {
  return { what, value: isAllowed ? 'allowed' : 'rejected', isFailure: isAllowed };
}

/** Returns an `isLimited` that waits until each of the events was counted. */
export function hasCounted(...events: readonly string[]): (counts: Counts) => boolean {
  return (counts) => events.every((event) => (counts[event] ?? 0) > 0);
}

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
