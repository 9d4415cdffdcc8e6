import { type DirectJob, type DirectResult } from '../jobs';
import { Incidents } from './incidents';
import { LoadSocket } from './load-socket';
import { messageFrames, numberOf } from './message-frames';
import { Slots } from './slots';
import { begun, countPerSecond, drained } from '../../measure/load-time';

/** A message counts when its sender has seen it come back and the other side has it. */
export async function loadDirect(job: DirectJob): Promise<DirectResult> {
  const incidents = new Incidents();
  const pairs = await Promise.all(job.pairs.map((pair) => openPair(pair, job.inFlight, incidents)));
  const sum = (read: (slots: Slots) => number) => pairs.reduce((total, slots) => total + read(slots), 0);
  const completed = () => sum((slots) => slots.completed);

  for (const slots of pairs) slots.begin();
  const rate = (await begun(() => completed() > 0))
    ? await countPerSecond(job, completed)
    : { perSecond: 0, busy: 0, cores: {} };
  for (const slots of pairs) slots.end();
  const underWay = () => sum((slots) => slots.underWay);
  // Where nothing came, nothing will.
  if (rate.perSecond > 0) await drained(() => underWay() === 0);
  const unexpected = sum((slots) => slots.unexpected);
  return { ...rate, undelivered: underWay(), unexpected, refusals: incidents.refusals };
}

async function openPair(
  { conversationId, to, sender, receiver }: DirectJob['pairs'][number],
  inFlight: number,
  incidents: Incidents,
): Promise<Slots> {
  const frameOf = messageFrames(conversationId, to, sender.capabilities?.includes('client-id'));
  const take = (side: number) => (frame: Buffer) => {
    const number = numberOf(frame);
    if (number === undefined) incidents.frame(frame);
    else slots.arrived(side, number);
  };
  const slots = new Slots(inFlight, 2, (_slot, number) => {
    socket.send(frameOf(number));
  });
  const socket = await LoadSocket.open(sender, take(0), incidents.closed);
  await LoadSocket.open(receiver, take(1), incidents.closed);
  return slots;
}
