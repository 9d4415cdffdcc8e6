import { type Finding, type LoadAttack } from './attacks/attack';
import { type Experience } from './honest/honest-load';
import { type Figures } from './measurement/measurement';
import { type ServiceName, services } from './target/services';
import { type Counts } from './traffic/attack-context';

/** What happened to one service, and to its honest client before and during the attack. */
export interface ServiceOutcome {
  service: ServiceName;
  /** Undefined if nothing was measured before the attack, as in a soak. */
  before: Experience | undefined;
  during: Experience;
  figures: Figures;
}

export interface AttackOutcome {
  attack: string;
  summary: string;
  /** Empty for an attack on a rule, and in a short form. */
  services: ServiceOutcome[];
  /** What the attacker counted. */
  counts: Counts;
  findings: Finding[];
  /** Why the attack was not held off; empty if it was. */
  failures: string[];
}

/** Maximum ratio of an honest client's 99th percentile during an attack to the one before it. */
const maxSlowdown = 2;

interface Checks {
  /** False in a short form: percentiles and single probes mean nothing there. */
  checksTimes: boolean;
}

/** Returns how many times slower the honest client's 99th percentile was; undefined if one of the two is missing. */
export function slowdownOf({ before, during }: ServiceOutcome): number | undefined {
  return before?.p99Ms === undefined || during.p99Ms === undefined ? undefined : during.p99Ms / before.p99Ms;
}

export function failuresOf(
  { services: outcomes, findings }: Pick<AttackOutcome, 'services' | 'findings'>,
  checks: Checks,
): string[] {
  return [
    ...outcomes.flatMap((outcome) =>
      failuresOfService(outcome, checks).map((failure) => `${outcome.service} ${failure}`),
    ),
    ...findings.filter(({ isFailure }) => isFailure).map(({ what, value }) => `${what}: ${value}`),
  ];
}

/**
 * Returns the outcome of an attack by load, with what the services, findings and counts of the attacker say against it.
 */
export function outcomeOfLoad(
  { name, summary, isLimited, forbidden = [] }: Pick<LoadAttack, 'name' | 'summary' | 'isLimited' | 'forbidden'>,
  measured: Pick<AttackOutcome, 'services' | 'counts' | 'findings'>,
  checks: Checks,
): AttackOutcome {
  const { counts } = measured;
  const failures = [
    ...failuresOf(measured, checks),
    ...(isLimited(counts) ? [] : ['the attacker was not limited']),
    ...forbidden.filter((what) => (counts[what] ?? 0) > 0).map((what) => `${what}: ${counts[what]}`),
  ];
  return { attack: name, summary, ...measured, failures };
}

function failuresOfService(outcome: ServiceOutcome, { checksTimes }: Checks): string[] {
  const { service, during, figures } = outcome;
  const { died, residentMaxBytes, liveFailures } = figures;
  if (died !== undefined) return [`died after ${died.afterSeconds.toFixed(1)} s (${died.how})`];
  const limit = services[service].memoryBytes;
  const slowdown = slowdownOf(outcome);
  const succeeded = during.p99Ms !== undefined;
  return [
    ...(residentMaxBytes > limit ? [`took ${inMebibytes(residentMaxBytes)} of ${inMebibytes(limit)}`] : []),
    ...(checksTimes && liveFailures > 0 ? [`missed ${liveFailures} health probes`] : []),
    ...(succeeded ? [] : ['completed no honest request']),
    ...Object.entries(during.failed).map(([what, count]) => `failed ${count} honest requests (${what})`),
    ...(checksTimes && slowdown !== undefined && slowdown > maxSlowdown
      ? [`was ${slowdown.toFixed(1)} times slower for honest clients`]
      : []),
  ];
}

export function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
