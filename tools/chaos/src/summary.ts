import { percentile } from '@waggle/running';
import { type FaultRecord } from './injector';
import { type Outcome } from './outcome';

/** Milliseconds, of those cases that came to it. */
export interface Times {
  p50: number;
  most: number;
  /** How many did not come to it in time. */
  never: number;
}

/** All faults of one kind. */
export interface FaultSummary {
  fault: string;
  count: number;
  /** From the end of the fault, or from its blow where others take over, until a message that was sent then was acknowledged. */
  first: Times | undefined;
  /** … until every client was connected and every message that waited then was acknowledged. */
  whole: Times | undefined;
}

/** A run in figures. */
export interface Summary {
  faults: FaultSummary[];
  faultCount: number;
  messages: {
    sent: number;
    acknowledged: number;
    refused: number;
    unknown: number;
    /** Messages that their writers did not write, since they had enough waiting. */
    heldBack: number;
    stored: number;
    /** Messages as clients of the library heard them, and as connections without it did. */
    delivered: number;
    deliveredRaw: number;
    /** From sending to acknowledgment. */
    acknowledgment: Times | undefined;
  };
  connections: {
    /** Connections, and attempts at one, that have ended, by close code. */
    lost: Record<string, number>;
    resumed: number;
    /** `resume-failed`: the client fetched what it had missed. */
    refetched: number;
    raw: number;
  };
}

export function summaryOf({ records, ledger, clients, load, observation }: Outcome): Summary {
  const raw = observation.hearings.filter(({ kind }) => kind === 'connection');
  return {
    faults: [...new Set(records.map(({ fault }) => fault))].toSorted().map((fault) =>
      faultSummary(
        fault,
        records.filter((record) => record.fault === fault),
      ),
    ),
    faultCount: records.length,
    messages: {
      sent: ledger.sendings.length,
      acknowledged: ledger.count('acknowledged'),
      refused: ledger.count('refused'),
      unknown: ledger.count('unknown'),
      heldBack: load.heldBack,
      stored: sum(observation.conversations.map(({ messages }) => messages.length)),
      delivered: sum(clients.map(({ heardCount }) => heardCount)),
      deliveredRaw: sum(raw.map(({ heard }) => heard.length)),
      acknowledgment: timesOf(ledger.latenciesMs),
    },
    connections: {
      lost: lostOf(clients),
      resumed: sum(clients.map(({ returns }) => returns.resumed)),
      refetched: sum(clients.map(({ returns }) => returns.refetched)),
      raw: raw.length,
    },
  };
}

function faultSummary(fault: string, records: readonly FaultRecord[]): FaultSummary {
  return {
    fault,
    count: records.length,
    first: timesOf(records.map(({ firstMs }) => firstMs)),
    whole: timesOf(records.map(({ wholeMs }) => wholeMs)),
  };
}

function timesOf(times: readonly (number | undefined)[]): Times | undefined {
  const known = times.filter((ms) => ms !== undefined);
  if (known.length === 0) return undefined;
  return { p50: percentile(known, 0.5), most: percentile(known, 1), never: times.length - known.length };
}

function lostOf(clients: Outcome['clients']): Record<string, number> {
  const lost: Record<string, number> = {};
  for (const { lostWith } of clients) for (const [code, count] of lostWith) lost[code] = (lost[code] ?? 0) + count;
  return lost;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
