import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { percentile } from '@waggle/running/statistics';
import { z } from 'zod';
import { drained, nowSeconds } from '../../measure/load-time';
import { type LatencyJob, type LatencyResult } from '../jobs';
import { Incidents } from './incidents';
import { type Sending } from './latency-sender';
import { LoadSocket } from './load-socket';
import { numberOf } from './message-frames';

const refusalsOfSender = z.array(z.string());

/**
 * Each message has a time at which it is due, and its latency is counted from that time to its arrival at the receiver: a
 * server that stalls is not offered less, and what it did not get in time counts as late.
 *
 * Arrivals are noted here and messages sent by a thread of their own, which sleeps until each is due: a loop that looked
 * at the clock all the time would be as exact, and would take from the measured servers one of the cores.
 */
export async function loadLatency(job: LatencyJob): Promise<LatencyResult> {
  const total = Math.floor(((job.warmUpMs + job.measuredMs) / 1_000) * job.offeredPerSecond);
  const warm = Math.floor((job.warmUpMs / 1_000) * job.offeredPerSecond);
  const arrivals = new Float64Array(total);
  const departures = new Float64Array(new SharedArrayBuffer(total * Float64Array.BYTES_PER_ELEMENT));
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
  await Promise.all(job.pairs.map(({ receiver }) => LoadSocket.open(receiver, receive, incidents.closed)));

  const { pairs, offeredPerSecond } = job;
  const workerData: Sending = { pairs, offeredPerSecond, departures: departures.buffer };
  const sender = new Worker(require.resolve('./latency-sender'), { workerData });
  const [start] = z.tuple([z.number()]).parse(await once(sender, 'message'));
  const [refusals] = z.tuple([refusalsOfSender]).parse(await once(sender, 'message'));
  await drained(() => arrived === total);
  await sender.terminate();

  const dueAt = (number: number) => start + number / job.offeredPerSecond;
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
    refusals: [...incidents.refusals, ...refusals],
  };
}
