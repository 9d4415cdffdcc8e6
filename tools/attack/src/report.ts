import { markdownTable } from '@waggle/running';
import { loadAttacks } from './attacks/all-attacks';
import { type Experience } from './honest/honest-load';
import { type AttackOutcome, inMebibytes, slowdownOf, type ServiceOutcome } from './outcome';

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

/** Returns a table with a line for each attack and service, and below it the details of each attack. */
export function reportText(outcomes: readonly AttackOutcome[]): string {
  const measured = outcomes.flatMap((outcome) => outcome.services.map((service) => rowOf(outcome, service)));
  // Without the line below the headings.
  const table = measured.length === 0 ? [] : markdownTable([headings, ...measured]).toSpliced(1, 1);
  return [...table, '', ...outcomes.flatMap(linesOf)].join('\n');
}

const pageHeadings = [
  'attack',
  'service',
  'memory',
  'event loop p99',
  'live p99',
  'honest p99, alone → attacked',
  'ratio',
  'honest requests limited',
];

/** Returns the page of documentation with the results of all attacks. */
export function reportPage(outcomes: readonly AttackOutcome[], seconds: number, date: Date): string {
  const loads = outcomes.filter(({ services }) => services.length > 0);
  const rules = outcomes.filter(({ services }) => services.length === 0);
  const rows = loads.flatMap((outcome) => outcome.services.map((service) => pageRowOf(outcome, service)));
  const distributed = loadAttacks
    .flatMap(({ name, isDistributed }) => (isDistributed === true ? `\`${name}\`` : []))
    .join(', ');
  return `${[
    '# Attacks',
    '',
    'What a hostile client can do to the services with their default limits. `npm run attack -- --out docs/attacks.md`',
    'writes this page; [tools/attack](../tools/attack/README.md) explains the attacks, and',
    '[SECURITY.md](../SECURITY.md#what-bounds-memory-and-work) lists the limits.',
    '',
    'For each attack the service is restarted with a heap of 512 MiB. An honest client sends the usual requests, first',
    'alone and then during the attack. The attacker is a process of low priority on the same two processors as the',
    'service, PostgreSQL and the honest client, so the latencies include a part of its work. Memory is the maximum, event',
    'loop delay the worst 99th percentile that the service reported, live is `GET /health/live` over new connections.',
    'Responses are slowest in the first seconds, in which the service builds what its limits allow at once.',
    'The ratio should be at most 2. Attacks from many addresses may slow a service down, and only have to leave it alive:',
    `their ratio is not checked (${distributed}).`,
    `Last run: ${date.toISOString().slice(0, 10)}, ${seconds} s for each attack by load.`,
    '',
    ...markdownTable([pageHeadings, ...rows]),
    '',
    ...loads.map(({ attack, summary }) => `- \`${attack}\`: ${summary}`),
    '',
    '## Attacks on rules',
    '',
    ...markdownTable([
      ['attack', 'result'],
      ...rules.map(({ attack, summary, findings }) => [
        `\`${attack}\`: ${summary}`,
        findings.map(({ what, value }) => `${what}: ${value}`).join('; '),
      ]),
    ]),
    ...outcomes.flatMap(({ attack, failures }) => failures.map((failure) => `\n\`${attack}\` failed: ${failure}`)),
  ].join('\n')}\n`;
}

function rowOf({ attack }: AttackOutcome, outcome: ServiceOutcome): string[] {
  const { service, before, during, figures } = outcome;
  const { died, liveFailures, residentMaxBytes } = figures;
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
    ratioText(outcome),
    String(during.count),
    String(during.limited),
    String(failureCount(during)),
    died === undefined ? 'no' : `${died.afterSeconds.toFixed(1)} s (${died.how})`,
  ];
}

function pageRowOf({ attack }: AttackOutcome, outcome: ServiceOutcome): string[] {
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

function failureCount({ failed }: Experience): number {
  return Object.values(failed).reduce((sum, count) => sum + count, 0);
}

function ratioText(outcome: ServiceOutcome): string {
  return slowdownOf(outcome)?.toFixed(1) ?? '–';
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
