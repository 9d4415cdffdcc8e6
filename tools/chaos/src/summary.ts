import { percentile } from '@waggle/running';
import { type Violation } from './check/violation';
import { type LibraryClient } from './clients/library-client';
import { type FaultRecord } from './injector';
import { type Load, type SkippedCounts } from './load';
import { type Observation } from './observation';
import { type SendLog } from './send-log';

/** The result of a run. */
export interface Outcome {
  records: readonly FaultRecord[];
  sendLog: SendLog;
  clients: readonly LibraryClient[];
  load: Load;
  observation: Observation;
  violations: readonly Violation[];
  /** Failures that are not about messages: an instance that exited by itself, a client that did not reconnect. */
  failures: readonly string[];
}

/** In milliseconds. */
export interface Times {
  p50: number;
  max: number;
  /** The number of cases that are not included because they timed out. */
  timedOut: number;
}

/** All faults of one kind. See `Recovery`. */
export interface FaultSummary {
  fault: string;
  count: number;
  firstAcknowledgment: Times | undefined;
  recovered: Times | undefined;
}

export interface Summary {
  faults: FaultSummary[];
  faultCount: number;
  messages: {
    sent: number;
    acknowledged: number;
    rejected: number;
    unknown: number;
    skipped: SkippedCounts;
    stored: number;
    receivedByClients: number;
    receivedRaw: number;
    /** From sent to acknowledgment. */
    acknowledgment: Times | undefined;
  };
  changes: {
    confirmed: number;
    rejected: number;
    unknown: number;
    /** Messages whose text, quote, mentions and reactions devices showed at the end. */
    shownMessages: number;
  };
  connections: {
    /** Lost connections and failed attempts, by close code. */
    lost: Record<string, number>;
    resumed: number;
    /** Failed resumes; the client then fetched what it missed. */
    refetched: number;
    raw: number;
  };
}

export function summaryOf({ records, sendLog, clients, load, observation }: Outcome): Summary {
  const { changes, devices } = observation;
  const raw = observation.receivers.filter(({ kind }) => kind === 'connection');
  return {
    faults: [...new Set(records.map(({ fault }) => fault))].toSorted().map((fault) =>
      faultSummary(
        fault,
        records.filter((record) => record.fault === fault),
      ),
    ),
    faultCount: records.length,
    messages: {
      sent: sendLog.sentMessages.length,
      acknowledged: sendLog.count('acknowledged'),
      rejected: sendLog.count('rejected'),
      unknown: sendLog.count('unknown'),
      skipped: load.skipped,
      stored: sum(observation.conversations.map(({ messages }) => messages.length)),
      receivedByClients: sum(clients.map(({ receivedCount }) => receivedCount)),
      receivedRaw: sum(raw.map(({ received }) => received.length)),
      acknowledgment: timesOf(sendLog.latenciesMs),
    },
    changes: {
      confirmed: changes.filter(({ result }) => result === 'confirmed').length,
      rejected: changes.filter(({ result }) => result === 'rejected').length,
      unknown: changes.filter(({ result }) => result === 'unknown').length,
      shownMessages: sum(
        devices.flatMap(({ shown }) =>
          Object.values(shown).map((texts) => Object.keys(texts).filter((key) => key.startsWith('text ')).length),
        ),
      ),
    },
    connections: {
      lost: lostOf(clients),
      resumed: sum(clients.map(({ reconnects }) => reconnects.resumed)),
      refetched: sum(clients.map(({ reconnects }) => reconnects.refetched)),
      raw: raw.length,
    },
  };
}

function faultSummary(fault: string, records: readonly FaultRecord[]): FaultSummary {
  return {
    fault,
    count: records.length,
    firstAcknowledgment: timesOf(records.map(({ firstAcknowledgmentMs }) => firstAcknowledgmentMs)),
    recovered: timesOf(records.map(({ recoveredMs }) => recoveredMs)),
  };
}

function timesOf(times: readonly (number | undefined)[]): Times | undefined {
  const known = times.filter((ms) => ms !== undefined);
  if (known.length === 0) return undefined;
  return { p50: percentile(known, 0.5), max: percentile(known, 1), timedOut: times.length - known.length };
}

function lostOf(clients: Outcome['clients']): Record<string, number> {
  const lost: Record<string, number> = {};
  for (const { lostWith } of clients) for (const [code, count] of lostWith) lost[code] = (lost[code] ?? 0) + count;
  return lost;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
