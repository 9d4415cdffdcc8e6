import { markdownTable } from '@waggle/running';
import { type AttackOutcome, inMebibytes, slowdownOf, type ServiceOutcome } from './outcome';

const headings = [
  'attack',
  'service',
  'memory',
  'event loop p99',
  'live p99',
  'honest p99, alone → attacked',
  'ratio',
  'honest requests limited',
];

/** Returns a Markdown table with a line for each attack and service, and below it the details of each attack. */
export function reportText(outcomes: readonly AttackOutcome[]): string {
  const measured = outcomes.flatMap((outcome) => outcome.services.map((service) => rowOf(outcome, service)));
  const table = measured.length === 0 ? [] : markdownTable([headings, ...measured]);
  return [...table, '', ...outcomes.flatMap(linesOf)].join('\n');
}

function rowOf({ attack }: AttackOutcome, outcome: ServiceOutcome): string[] {
  const { service, before, during, figures } = outcome;
  return [
    `\`${attack}\``,
    service,
    inMebibytes(figures.residentMaxBytes),
    inMs(figures.eventLoopP99Ms),
    inMs(figures.liveP99Ms),
    `${inMs(before?.p99Ms)} → ${inMs(during.p99Ms)}`,
    ratioText(outcome),
    `${during.limited} of ${during.count}`,
  ];
}

function linesOf({ attack, summary, counts, findings, failures }: AttackOutcome): string[] {
  const counted = Object.entries(counts).map(([what, count]) => `${what} ${Math.round(count)}`);
  return [
    `${attack}: ${summary}`,
    ...findings.map(({ what, value }) => `  ${what}: ${value}`),
    ...(counted.length === 0 ? [] : [`  attacker: ${counted.join(', ')}`]),
    ...(failures.length === 0 ? ['  pass'] : failures.map((failure) => `  FAIL ${failure}`)),
  ];
}

function ratioText(outcome: ServiceOutcome): string {
  return slowdownOf(outcome)?.toFixed(1) ?? '–';
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
