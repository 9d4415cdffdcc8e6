import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { textTable } from '@waggle/running';
import { type Violation } from './check/violation';
import { type FaultRecord } from './injector';
import { type ChaosOptions } from './options';
import { type Outcome, summaryOf, type Times } from './summary';

/** How many violations are printed; the JSON has all. */
const maxShown = 20;

/** Formats the result of a run for a terminal. */
export function reportText(outcome: Outcome): string {
  const { violations, failures } = outcome;
  const { faults, faultCount, messages, changes, connections } = summaryOf(outcome);
  const lost = Object.entries(connections.lost).map(([code, count]) => `${count} with ${code}`);
  return [
    columns([
      ['fault', 'count', 'first p50', 'max', 'full p50', 'max'],
      ...faults.map(({ fault, count, firstAcknowledgment, recovered }) => [
        fault,
        String(count),
        ...timesCells(firstAcknowledgment),
        ...timesCells(recovered),
      ]),
      ['all', String(faultCount), '', '', '', ''],
    ]),
    '',
    'Seconds from the end of a fault (of kill- and drain-instance: from the end of the process) until',
    'first: a message sent after that was acknowledged;',
    'full: all clients were connected, and all messages pending at that time were acknowledged.',
    '',
    columns([
      ...Object.entries({
        'messages sent': messages.sent,
        acknowledged: messages.acknowledged,
        rejected: messages.rejected,
        'result unknown': messages.unknown,
        'not sent, ten pending': messages.skipped.pendingWriter,
        'not sent, tool busy': messages.skipped.busyProcess,
        'not sent, no conversation': messages.skipped.noConversation,
        'groups not created': messages.skipped.groups,
        stored: messages.stored,
        'received by clients': messages.receivedByClients,
        'received on raw connections': messages.receivedRaw,
        'changes confirmed': changes.confirmed,
        'changes rejected': changes.rejected,
        'changes with unknown result': changes.unknown,
        'messages shown by devices': changes.shownMessages,
      }).map(([what, count]) => [what, count.toLocaleString('en')]),
      ['time to acknowledgment, p50', `${timesCells(messages.acknowledgment)[0] ?? ''} s`],
      ['resumed', connections.resumed.toLocaleString('en')],
      ['fetched after a failed resume', connections.refetched.toLocaleString('en')],
      ['raw connections', connections.raw.toLocaleString('en')],
    ]),
    `connections lost: ${lost.length === 0 ? 'none' : lost.join(', ')}`,
    '',
    ...failures.map((failure) => `FAILURE: ${failure}`),
    ...violationLines(violations),
  ].join('\n');
}

/** Formats a fault and its recovery as a line. */
export function faultLine({ fault, target, atMs, lastedMs, firstAcknowledgmentMs, recoveredMs }: FaultRecord): string {
  const at = (atMs / 1_000).toFixed(1).padStart(6);
  const name = `${fault.padEnd(17)} ${target.padEnd(10)}`;
  return `${at} s  ${name}  ${inSeconds(lastedMs)} s; first after ${inSeconds(firstAcknowledgmentMs)} s, full after ${inSeconds(recoveredMs)} s`;
}

/** Writes everything about a run as JSON. */
export function writeReport(outcome: Outcome, options: ChaosOptions, startedAt: Date): void {
  const { seed, minutes, clients, perSecond, kinds, each, isQuick, isRedisCluster } = options;
  writeJson(options.file, {
    startedAt: startedAt.toISOString(),
    options: { seed, minutes, clients, perSecond, kinds, each, isQuick, isRedisCluster },
    ...summaryOf(outcome),
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
      .slice(0, maxShown)
      .map(
        ({ kind, observer, conversationId, tag, detail }) =>
          `  ${kind}: ${tag} in ${conversationId}, ${observer}: ${detail}`,
      ),
    ...(violations.length > maxShown ? ['  …'] : []),
  ];
}

function timesCells(times: Times | undefined): string[] {
  if (times === undefined) return ['timed out', 'timed out'];
  return [inSeconds(times.p50), times.timedOut > 0 ? `${times.timedOut} timed out` : inSeconds(times.max)];
}

function inSeconds(ms: number | undefined): string {
  return ms === undefined ? '–' : (ms / 1_000).toFixed(2);
}

/** Aligns the first column left and the others right. */
function columns(rows: readonly (readonly string[])[]): string {
  return textTable(rows, (column) => column > 0);
}
