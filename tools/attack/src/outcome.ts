import { type Finding } from './attack';
import { type Tallies } from './attacker/tallies-line';
import { type Experience } from './honest/honest-load';
import { type Figures } from './measurement/measurement';
import { type ServiceName, services } from './target/services';

/** What happened to one service, and to its honest client before the attack and during it. */
export interface ServiceOutcome {
  service: ServiceName;
  /** Undefined where nothing was measured before, as in a soak. */
  before: Experience | undefined;
  during: Experience;
  figures: Figures;
}

export interface AttackOutcome {
  attack: string;
  summary: string;
  /** Empty of an attack on a rule. */
  services: ServiceOutcome[];
  /** What the attacker counted. */
  tallies: Tallies;
  findings: Finding[];
  /** What must not happen. */
  faults: string[];
}

/** An honest client's 99th percentile during an attack may be so many times that before it. */
const maxRatio = 2;

export interface Judgement {
  /** In a short run, on a machine that does other things too, percentiles and single probes say nothing. */
  judgesTimes: boolean;
}

/** How many times slower the honest client's 99th percentile was; undefined where one of the two is missing. */
export function ratioOf({ before, during }: ServiceOutcome): number | undefined {
  return before?.p99Ms === undefined || during.p99Ms === undefined ? undefined : during.p99Ms / before.p99Ms;
}

export function faultsOf(
  { services: outcomes, findings }: Pick<AttackOutcome, 'services' | 'findings'>,
  judgement: Judgement,
): string[] {
  return [
    ...outcomes.flatMap((outcome) => faultsOfService(outcome, judgement).map((fault) => `${outcome.service} ${fault}`)),
    ...findings.filter(({ isFault }) => isFault).map(({ what, value }) => `${what}: ${value}`),
  ];
}

function faultsOfService(outcome: ServiceOutcome, { judgesTimes }: Judgement): string[] {
  const { service, during, figures } = outcome;
  const { died, residentMaxBytes, liveFailures } = figures;
  if (died !== undefined) return [`died after ${died.afterSeconds.toFixed(1)} s (${died.how})`];
  const limit = services[service].memoryBytes;
  const ratio = ratioOf(outcome);
  const succeeded = during.p99Ms !== undefined;
  return [
    ...(residentMaxBytes > limit ? [`took ${inMebibytes(residentMaxBytes)} of ${inMebibytes(limit)}`] : []),
    ...(judgesTimes && liveFailures > 0 ? [`did not answer ${liveFailures} health probes`] : []),
    ...(succeeded ? [] : ['answered no honest request']),
    ...Object.entries(during.failed).map(([what, count]) => `failed ${count} honest requests (${what})`),
    ...(judgesTimes && ratio !== undefined && ratio > maxRatio
      ? [`was ${ratio.toFixed(1)} times slower for honest clients`]
      : []),
  ];
}

export function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
