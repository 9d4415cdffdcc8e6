import { type Experience } from './honest/honest-load';
import { type AttackOutcome, inMebibytes, ratioOf, type ServiceOutcome } from './outcome';

const headings = [
  'attack',
  'service',
  'memory',
  'loop p99',
  'live p99',
  'live max',
  'live failed',
  'honest p99 before',
  'during',
  'ratio',
  'honest requests',
  'limited',
  'failed',
  'died',
];

/** A line for each attack and service, and below it what was seen of single attacks. */
export function reportText(outcomes: readonly AttackOutcome[]): string {
  const measured = outcomes.flatMap((outcome) => outcome.services.map((service) => rowOf(outcome, service)));
  const rows = measured.length === 0 ? [] : [headings, ...measured];
  const widths = headings.map((_heading, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    ...rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`),
    '',
    ...outcomes.flatMap(linesOf),
  ].join('\n');
}

function rowOf({ attack }: AttackOutcome, outcome: ServiceOutcome): string[] {
  const { service, before, during, figures } = outcome;
  const { died, liveFailures, residentMaxBytes } = figures;
  const ratio = ratioOf(outcome);
  return [
    attack,
    service,
    inMebibytes(residentMaxBytes),
    inMs(figures.eventLoopP99Ms),
    inMs(figures.liveP99Ms),
    inMs(figures.liveMaxMs),
    String(liveFailures),
    inMs(before?.p99Ms),
    inMs(during.p99Ms),
    ratio === undefined ? '–' : ratio.toFixed(1),
    String(during.count),
    String(during.limited),
    String(failuresOf(during)),
    died === undefined ? 'no' : `${died.afterSeconds.toFixed(1)} s (${died.how})`,
  ];
}

function linesOf({ attack, summary, tallies, findings, faults }: AttackOutcome): string[] {
  const counted = Object.entries(tallies).map(([what, count]) => `${what} ${Math.round(count)}`);
  return [
    `${attack}: ${summary}`,
    ...findings.map(({ what, value }) => `  ${what}: ${value}`),
    ...(counted.length === 0 ? [] : [`  attacker: ${counted.join(', ')}`]),
    ...(faults.length === 0 ? ['  pass'] : faults.map((fault) => `  FAIL ${fault}`)),
  ];
}

function failuresOf({ failed }: Experience): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
