import { parentPort, workerData } from 'node:worker_threads';
import { nowSeconds } from '../../measure/load-time';
import { type LatencyJob, type Pair } from '../jobs';
import { Incidents } from './incidents';
import { LoadSocket } from './load-socket';
import { messageFrames } from './message-frames';

/** What the thread that sends is told. */
export interface Departures extends Pick<LatencyJob, 'pairs' | 'offeredPerSecond'> {
  /** When each message was sent, in seconds of `nowSeconds`: shared, and filled here. */
  departures: Float64Array;
}

/** Beyond this a message is waited for; less is as long as waking up takes. */
const wakeUpSeconds = 0.000_05;

/** What a thread sleeps on: nobody wakes it, so it sleeps as long as it says. */
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/**
 * Sends each message when it is due, a sender after the other. Tells the time of the first message before it begins, and
 * what was refused when all are sent.
 */
async function send({ pairs, offeredPerSecond, departures }: Departures): Promise<void> {
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

void send(workerData);
