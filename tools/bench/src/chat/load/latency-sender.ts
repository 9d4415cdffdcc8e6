import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { nowSeconds } from '../../measure/load-time';
import { latencyJob, type Pair } from '../jobs';
import { LoadErrors } from './load-errors';
import { LoadSocket } from './load-socket';
import { messageFrames } from './message-frames';

/**
 * The input of the thread. It writes to `departures` when each message was sent, as doubles in seconds of `nowSeconds`.
 */
const sending = latencyJob
  .pick({ pairs: true, offeredPerSecond: true })
  .extend({ departures: z.instanceof(SharedArrayBuffer) });
export type Sending = z.infer<typeof sending>;

/** Shorter pauses are skipped: waking up takes that long. */
const wakeUpSeconds = 0.000_05;

/** Never notified, so that a wait for it is a precise sleep. */
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Sends each message when it is due, from the senders in turn. Posts the start time, and at the end the errors. */
async function send({ pairs, offeredPerSecond, departures: shared }: Sending): Promise<void> {
  const departures = new Float64Array(shared);
  const errors = new LoadErrors();
  const senders = await Promise.all(pairs.map((pair) => openSender(pair, errors)));
  const start = nowSeconds();
  parentPort?.postMessage(start);
  for (let next = 0; next < departures.length;) {
    const now = nowSeconds();
    for (; next < departures.length && start + next / offeredPerSecond <= now; next += 1) {
      departures[next] = now;
      senders[next % senders.length]?.(next);
    }
    // Lets the event loop write and read.
    await new Promise(setImmediate);
    const pause = start + next / offeredPerSecond - nowSeconds();
    // A timer is up to a millisecond late, which is more than most latencies.
    if (pause > wakeUpSeconds) Atomics.wait(never, 0, 0, pause * 1_000);
  }
  parentPort?.postMessage(errors.messages);
}

/** @returns a function that sends a message to the other account of the pair */
async function openSender({ conversationId, to, sender }: Pair, errors: LoadErrors): Promise<(number: number) => void> {
  const frameOf = messageFrames(conversationId, to);
  const onFrame = (frame: Buffer): void => {
    errors.frame(frame);
  };
  const socket = await LoadSocket.open(sender, onFrame, errors.closed);
  return (number) => {
    socket.send(frameOf(number));
  };
}

void send(sending.parse(workerData));
