import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { nowSeconds } from '../../measure/load-time';
import { latencyJob, type Pair } from '../jobs';
import { Incidents } from './incidents';
import { LoadSocket } from './load-socket';
import { messageFrames } from './message-frames';

/**
 * What the thread that sends is told. `departures`: doubles, when each message was sent in seconds of `nowSeconds`;
 * filled here.
 */
const sending = latencyJob
  .pick({ pairs: true, offeredPerSecond: true })
  .extend({ departures: z.instanceof(SharedArrayBuffer) });
export type Sending = z.infer<typeof sending>;

/** Beyond this a message is waited for; less is as long as waking up takes. */
const wakeUpSeconds = 0.000_05;

/** What a thread sleeps on: nobody wakes it, so it sleeps as long as it says. */
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Sends each message when it is due, a sender after the other. Tells the time of the first message before it begins, and
 * what was refused when all are sent.
 */
async function send({ pairs, offeredPerSecond, departures: shared }: Sending): Promise<void> {
  const departures = new Float64Array(shared);
  const incidents = new Incidents();
  const senders = await Promise.all(pairs.map((pair) => openSender(pair, incidents)));
  const start = nowSeconds();
  parentPort?.postMessage(start);
  for (let next = 0; next < departures.length;) {
    const now = nowSeconds();
    for (; next < departures.length && start + next / offeredPerSecond <= now; next += 1) {
      departures[next] = now;
      senders[next % senders.length]?.(next);
    }
    // What was written goes out, and what came is read.
    await new Promise(setImmediate);
    const pause = start + next / offeredPerSecond - nowSeconds();
    // A timer comes up to a millisecond late, which is more than most of the latencies.
    if (pause > wakeUpSeconds) Atomics.wait(never, 0, 0, pause * 1_000);
  }
  parentPort?.postMessage(incidents.refusals);
}

/** @returns sends a message from one side of the pair to the other */
async function openSender(
  { conversationId, to, sender }: Pair,
  incidents: Incidents,
): Promise<(number: number) => void> {
  const frameOf = messageFrames(conversationId, to);
  const own = (frame: Buffer) => {
    incidents.frame(frame);
  };
  const socket = await LoadSocket.open(sender, own, incidents.closed);
  return (number) => {
    socket.send(frameOf(number));
  };
}

void send(sending.parse(workerData));
