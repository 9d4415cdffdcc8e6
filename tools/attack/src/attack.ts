import { type Attacker } from './attacker/attacker';
import { type ServiceName } from './target/services';
import { type Target } from './target/target';

/** One observation that belongs to a single attack, such as "victim closed by the service: 4 times". */
export interface Finding {
  what: string;
  value: string;
  /** Whether it shows that the service is not protected. */
  isFault: boolean;
}

/** How much an attack does. */
export interface Size {
  /** Reduced sizes, for a run of a few seconds. */
  isQuick: boolean;
  /** How long the attacker goes on. */
  seconds: number;
  /** The share of the allowed rate at which it goes on after its first burst. */
  rate: number;
}

interface Named {
  name: string;
  /** What the attacker does, in one line. */
  summary: string;
  services: readonly ServiceName[];
}

/** Watches what the attack does to somebody in particular, in the process of the honest clients. */
export interface Observer {
  stop: () => Promise<Finding[]>;
}

/** An attack by load: runs in a process of its own beside honest clients, and is judged by what these notice. */
export interface LoadAttack extends Named {
  kind: 'load';
  /** Whether it takes many addresses. Together they may slow the services down for others, but not bring them down. */
  isDistributed?: boolean;
  /**
   * Fills the databases and logs the attackers in.
   *
   * @returns the job, as JSON can carry it to the attacker's process
   */
  prepare: (target: Target, size: Size) => Promise<unknown>;
  /** Attacks until `attacker.signal` is aborted, or there is nothing left to do. */
  run: (job: unknown, attacker: Attacker) => Promise<void>;
  observe?: (target: Target, job: unknown) => Promise<Observer>;
}

/** An attack on a rule: a few requests that the service should refuse. */
export interface RuleAttack extends Named {
  kind: 'rule';
  attempt: (target: Target, size: Size) => Promise<Finding[]>;
}

export type Attack = LoadAttack | RuleAttack;

/** The outcome of a forbidden request, for the report. */
export function outcomeOf(what: string, isAllowed: boolean): Finding {
  return { what, value: isAllowed ? 'allowed' : 'refused', isFault: isAllowed };
}
