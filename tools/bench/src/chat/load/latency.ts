import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { percentile } from '@waggle/running/statistics';
import { z } from 'zod';
import { untilDrained, nowSeconds } from '../../measure/load-time';
import { type LatencyJob, type LatencyResult } from '../jobs';
import { LoadErrors } from './load-errors';
import { type Sending } from './latency-sender';
import { LoadSocket } from './load-socket';
import { numberOf } from './message-frames';

const senderErrors = z.array(z.string());

/**
 * Measures latencies from when a message is due to its arrival, so that a stalled server does not reduce the load
 * (coordinated omission).
 *
 * A thread sends the messages and sleeps until each is due. A loop that polls the clock would be as precise, but would
 * use a core that the servers need.
 */
export async function loadLatency(job: LatencyJob): Promise<LatencyResult> {
  const total = Math.floor(((job.warmUpMs + job.measuredMs) / 1_000) * job.offeredPerSecond);
  const warm = Math.floor((job.warmUpMs / 1_000) * job.offeredPerSecond);
  const arrivals = new Float64Array(total);
  const departures = new Float64Array(new SharedArrayBuffer(total * Float64Array.BYTES_PER_ELEMENT));
  const errors = new LoadErrors();
  let [arrived, unexpected] = [0, 0];
  const receive = (frame: Buffer): void => {
    const number = numberOf(frame);
    if (number === undefined) errors.frame(frame);
    else if (number >= total || arrivals[number] !== 0) unexpected += 1;
    else {
      arrivals[number] = nowSeconds();
      arrived += 1;
    }
  };
  await Promise.all(job.pairs.map(({ receiver }) => LoadSocket.open(receiver, receive, errors.closed)));

  const { pairs, offeredPerSecond } = job;
  const workerData: Sending = { pairs, offeredPerSecond, departures: departures.buffer };
  const sender = new Worker(require.resolve('./latency-sender'), { workerData });
  const [start] = z.tuple([z.number()]).parse(await once(sender, 'message'));
  const [sendErrors] = z.tuple([senderErrors]).parse(await once(sender, 'message'));
  await untilDrained(() => arrived === total);
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
    errors: [...errors.messages, ...sendErrors],
  };
}
