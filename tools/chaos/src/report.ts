import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Violation } from './check/violation';
import { type FaultRecord } from './injector';
import { type ChaosOptions } from './options';
import { type Outcome } from './outcome';
import { type Summary, summaryOf, type Times } from './summary';

/** So many violations are shown; the file has all. */
const shownMost = 20;

/** What a run showed, for a terminal. */
export function reportText(outcome: Outcome): string {
  const { violations, failures } = outcome;
  const { faults, faultCount, messages, connections } = summaryOf(outcome);
  const lost = Object.entries(connections.lost).map(([code, count]) => `${count} with ${code}`);
  return [
    columns([
      ['fault', 'count', 'first p50', 'most', 'whole p50', 'most'],
      ...faults.map(({ fault, count, first, whole }) => [
        fault,
        String(count),
        ...timesCells(first),
        ...timesCells(whole),
      ]),
      ['all', String(faultCount), '', '', '', ''],
    ]),
    '',
    'Seconds from the end of a fault (of kill- and drain-instance: from the end of the process, as others take over) until',
    'first: a message that was sent after it was acknowledged;',
    'whole: every client was connected, and every message that waited then was acknowledged.',
    '',
    columns([
      ...Object.entries({
        'messages sent': messages.sent,
        acknowledged: messages.acknowledged,
        refused: messages.refused,
        'outcome unknown to the sender': messages.unknown,
        'not written, since ten waited': messages.heldBack,
        stored: messages.stored,
        'heard by clients': messages.delivered,
        'heard on raw connections': messages.deliveredRaw,
      }).map(([what, count]) => [what, count.toLocaleString('en')]),
      ['acknowledged after, p50', `${timesCells(messages.acknowledgment)[0] ?? ''} s`],
      ['resumed', connections.resumed.toLocaleString('en')],
      ['fetched anew', connections.refetched.toLocaleString('en')],
      ['raw connections', connections.raw.toLocaleString('en')],
    ]),
    `connections lost: ${lost.length === 0 ? 'none' : lost.join(', ')}`,
    '',
    ...failures.map((failure) => `FAILURE: ${failure}`),
    ...violationLines(violations),
  ].join('\n');
}

/** A fault when it is over, in a line. */
export function faultLine({ fault, target, atMs, lastedMs, firstMs, wholeMs }: FaultRecord): string {
  const at = (atMs / 1_000).toFixed(1).padStart(6);
  const what = `${fault.padEnd(17)} ${target.padEnd(10)}`;
  return `${at} s  ${what}  ${inSeconds(lastedMs)} s; first after ${inSeconds(firstMs)} s, whole after ${inSeconds(wholeMs)} s`;
}

/** Everything that is known of a run, as JSON. */
export function writeReport(outcome: Outcome, options: ChaosOptions, startedAt: Date): void {
  const { seed, minutes, clients, perSecond, kinds, each, isQuick, isRedisCluster, sabotage } = options;
  const summary: Summary = summaryOf(outcome);
  writeJson(options.file, {
    startedAt: startedAt.toISOString(),
    options: { seed, minutes, clients, perSecond, kinds, each, isQuick, isRedisCluster, sabotage },
    ...summary,
    records: outcome.records,
    failures: outcome.failures,
    violations: outcome.violations,
  });
  if (options.observationFile !== undefined) writeJson(options.observationFile, outcome.observation);
}

function writeJson(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, undefined, 1)}\n`);
}

function violationLines(violations: readonly Violation[]): string[] {
  if (violations.length === 0) return ['No violations.'];
  const counts = new Map<string, number>();
  for (const { kind } of violations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [
    `${violations.length} VIOLATIONS: ${Array.from(counts, ([kind, count]) => `${count} ${kind}`).join(', ')}`,
    ...violations
      .slice(0, shownMost)
      .map(
        ({ kind, who, conversationId, mark, detail }) => `  ${kind}: ${mark} in ${conversationId}, ${who}: ${detail}`,
      ),
    ...(violations.length > shownMost ? ['  …'] : []),
  ];
}

function timesCells(times: Times | undefined): string[] {
  if (times === undefined) return ['never', 'never'];
  return [inSeconds(times.p50), times.never > 0 ? `${times.never} never` : inSeconds(times.most)];
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '–' : (ms / 1_000).toFixed(2);
}

/** The first column to the left, the others to the right. */
function columns(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(width(column)) : cell.padStart(width(column))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
