import { setTimeout } from 'node:timers/promises';
import { type ClientFrameType, serverFrames, type ServerFrameType } from '@waggle/contracts';
import { percentile } from '@waggle/running/statistics';
import { z } from 'zod';
import { type ReactionsJob, type ReactionsResult } from '../jobs';
import { nowSeconds, untilDrained } from '../../measure/load-time';
import { LoadErrors } from './load-errors';
import { LoadSocket } from './load-socket';

const add: ClientFrameType = 'add-reaction';
const remove: ClientFrameType = 'remove-reaction';
const changed: ServerFrameType = 'reactions-changed';
const changedFrame = z.object({ payload: serverFrames[changed] });

/** Pause between two checks for what is due, in milliseconds. It is part of the latency. */
const tickMs = 2;

/**
 * The members react to one message in turn, at fixed times, and withdraw the reaction in the next turn. Measures from
 * when a change is due until the last observer has it.
 */
export async function loadReactions(job: ReactionsJob): Promise<ReactionsResult> {
  const { members, observers, messageId, offeredPerSecond, warmUpMs, measuredMs } = job;
  const total = Math.floor(((warmUpMs + measuredMs) / 1_000) * offeredPerSecond);
  const warm = Math.floor((warmUpMs / 1_000) * offeredPerSecond);
  const errors = new LoadErrors();
  const memberOf = new Map(members.map(({ username }, member) => [username, member]));
  /** For each observer and member: how many changes it has. */
  const seen = Array.from({ length: observers }, () => new Uint32Array(members.length));
  const copies = new Uint32Array(total);
  const arrivals = new Float64Array(total);
  let [arrived, bytes, unexpected] = [0, 0, 0];

  const receive = (frame: Buffer, receiver: number): void => {
    if (!frame.includes(changed)) {
      errors.frame(frame);
      return;
    }
    bytes += frame.length;
    const counts = seen[receiver];
    if (counts === undefined) return;
    for (const { username } of changedFrame.parse(JSON.parse(frame.toString())).payload.changes) {
      const member = memberOf.get(username) ?? NaN;
      const number = (counts[member] ?? NaN) * members.length + member;
      if (!(number < total)) {
        unexpected += 1;
        continue;
      }
      counts[member] = (counts[member] ?? 0) + 1;
      copies[number] = (copies[number] ?? 0) + 1;
      if (copies[number] !== observers) continue;
      arrivals[number] = nowSeconds();
      arrived += 1;
    }
  };
  const sockets = await Promise.all(
    members.map(({ participant }, receiver) =>
      LoadSocket.open(
        participant,
        (frame) => {
          receive(frame, receiver);
        },
        errors.closed,
      ),
    ),
  );

  const start = nowSeconds();
  const dueAt = (number: number) => start + number / offeredPerSecond;
  for (let next = 0; next < total;) {
    await setTimeout(tickMs);
    for (const now = nowSeconds(); next < total && dueAt(next) <= now; next += 1) {
      const type = Math.floor(next / members.length) % 2 === 0 ? add : remove;
      sockets[next % members.length]?.send(JSON.stringify({ type, payload: { id: messageId, emoji: '👍' } }));
    }
  }
  const seconds = nowSeconds() - start;
  await untilDrained(() => arrived === total);
  const latencies = [...arrivals.subarray(warm)].flatMap((at, i) => (at === 0 ? [] : [(at - dueAt(warm + i)) * 1_000]));
  return {
    p50Ms: latencies.length === 0 ? 0 : percentile(latencies, 0.5),
    p99Ms: latencies.length === 0 ? 0 : percentile(latencies, 0.99),
    bytesPerSecond: bytes / members.length / seconds,
    undelivered: total - arrived,
    unexpected,
    errors: errors.messages,
  };
}
