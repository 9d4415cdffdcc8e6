import { percentile } from '../../measure/statistics';
import { type LatencyJob, type LatencyResult } from '../jobs';
import { Incidents } from './incidents';
import { LoadSocket } from './load-socket';
import { messageFrames, numberOf } from './message-frames';
import { drained, nowSeconds } from '../../measure/load-time';

/**
 * Each message has a time at which it is due, and its latency is counted from that time to its arrival at the receiver: a
 * server that stalls is not offered less, and what it did not get in time counts as late.
 */
export async function loadLatency(job: LatencyJob): Promise<LatencyResult> {
  const total = Math.floor(((job.warmUpMs + job.measuredMs) / 1_000) * job.offeredPerSecond);
  const warm = Math.floor((job.warmUpMs / 1_000) * job.offeredPerSecond);
  const arrivals = new Float64Array(total);
  const departures = new Float64Array(total);
  const incidents = new Incidents();
  let [arrived, unexpected] = [0, 0];
  const receive = (frame: Buffer) => {
    const number = numberOf(frame);
    if (number === undefined) incidents.frame(frame);
    else if (number >= total || arrivals[number] !== 0) unexpected += 1;
    else {
      arrivals[number] = nowSeconds();
      arrived += 1;
    }
  };
  const senders = await Promise.all(job.pairs.map((pair) => openPair(pair, receive, incidents)));

  const start = nowSeconds();
  const dueAt = (number: number) => start + number / job.offeredPerSecond;
  let next = 0;
  while (next < total) {
    const now = nowSeconds();
    for (; next < total && dueAt(next) <= now; next += 1) {
      departures[next] = now;
      senders[next % senders.length]?.(next);
    }
    // A timer comes up to a millisecond late, which is more than most of the latencies: look all the time.
    await new Promise(setImmediate);
  }
  await drained(() => arrived === total);

  const measured = Array.from({ length: total - warm }, (_, i) => i + warm);
  const latencies = measured.flatMap((number) => {
    const at = arrivals[number];
    return at === undefined || at === 0 ? [] : [(at - dueAt(number)) * 1_000];
  });
  const late = measured.map((number) => ((departures[number] ?? Infinity) - dueAt(number)) * 1_000);
  return {
    p50Ms: latencies.length === 0 ? 0 : percentile(latencies, 0.5),
    p99Ms: latencies.length === 0 ? 0 : percentile(latencies, 0.99),
    lateMs: percentile(late, 0.99),
    undelivered: total - arrived,
    unexpected,
    refusals: incidents.refusals,
  };
}

/** @returns sends a message from one side of the pair to the other */
async function openPair(
  { conversationId, to, sender, receiver }: LatencyJob['pairs'][number],
  receive: (frame: Buffer) => void,
  incidents: Incidents,
): Promise<(number: number) => void> {
  const frameOf = messageFrames(conversationId, to);
  const own = (frame: Buffer) => {
    incidents.frame(frame);
  };
  const socket = await LoadSocket.open(sender, own, incidents.closed);
  await LoadSocket.open(receiver, receive, incidents.closed);
  return (number) => {
    socket.send(frameOf(number));
  };
}
