import { setTimeout } from 'node:timers/promises';
import { commitNotifications } from '@waggle/running/notification-rows';
import { percentile } from '@waggle/running/statistics';
import { Client } from 'pg';
import { type DelayJob, type DelayResult } from '../jobs';
import { openStreams } from './event-streams';

/** For the events of a block. */
const eventsTimeoutMs = 5_000;

/**
 * Commits blocks at random times, each with `notificationsOfBlock` notifications, and measures when the streams receive
 * them.
 */
export async function loadDelay(job: DelayJob): Promise<DelayResult> {
  const { databaseUrl, blocks, notificationsOfBlock, maxPauseMs, streams } = job;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  /** When events of the last block arrived. */
  let received: number[] = [];
  await openStreams({ ...job, accounts: streams }, () => received.push(performance.now()));
  const delays: number[] = [];
  let next = 0;
  for (let block = 0; block < blocks; block += 1) {
    const recipients = Array.from({ length: notificationsOfBlock }, () => next++ % streams);
    received = [];
    await setTimeout(Math.random() * maxPauseMs);
    await commitNotifications(client, recipients);
    const committedAtMs = performance.now();
    while (received.length < notificationsOfBlock && performance.now() < committedAtMs + eventsTimeoutMs)
      await setTimeout(1);
    delays.push(...received.map((atMs) => atMs - committedAtMs));
  }
  await client.end();
  return {
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    events: delays.length,
    lost: blocks * notificationsOfBlock - delays.length,
  };
}
