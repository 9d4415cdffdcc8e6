import { type DirectJob, type DirectResult } from '../jobs';
import { LoadErrors } from './load-errors';
import { LoadSocket } from './load-socket';
import { messageFrames, numberOf } from './message-frames';
import { Slots } from './slots';
import { untilStarted, countPerSecond, untilDrained } from '../../measure/load-time';

/** Counts messages that both sides received. */
export async function loadDirect(job: DirectJob): Promise<DirectResult> {
  const errors = new LoadErrors();
  const pairs = await Promise.all(job.pairs.map((pair) => openPair(pair, job.inFlight, errors)));
  const sum = (read: (slots: Slots) => number) => pairs.reduce((total, slots) => total + read(slots), 0);
  const completed = () => sum((slots) => slots.completed);

  for (const slots of pairs) slots.begin();
  const rate = (await untilStarted(() => completed() > 0))
    ? await countPerSecond(job, completed)
    : { perSecond: 0, busy: 0, cores: {} };
  for (const slots of pairs) slots.end();
  const inFlight = () => sum((slots) => slots.inFlight);
  // If nothing arrived, nothing will.
  if (rate.perSecond > 0) await untilDrained(() => inFlight() === 0);
  const unexpected = sum((slots) => slots.unexpected);
  return { ...rate, undelivered: inFlight(), unexpected, errors: errors.messages };
}

async function openPair(
  { conversationId, to, sender, receiver }: DirectJob['pairs'][number],
  inFlight: number,
  errors: LoadErrors,
): Promise<Slots> {
  const frameOf = messageFrames(conversationId, to, sender.capabilities?.includes('client-id'));
  const take = (side: number) => (frame: Buffer) => {
    const number = numberOf(frame);
    if (number === undefined) errors.frame(frame);
    else slots.received(side, number);
  };
  const slots = new Slots(inFlight, 2, (_slot, number) => {
    socket.send(frameOf(number));
  });
  const socket = await LoadSocket.open(sender, take(0), errors.closed);
  await LoadSocket.open(receiver, take(1), errors.closed);
  return slots;
}
