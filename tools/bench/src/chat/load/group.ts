import { type GroupJob, type GroupResult } from '../jobs';
import { LoadErrors } from './load-errors';
import { LoadSocket } from './load-socket';
import { messageFrames, numberOf } from './message-frames';
import { Slots } from './slots';
import { untilStarted, countPerSecond, untilDrained } from '../../measure/load-time';

/** A few members write; counts the copies that members receive, including the writers. */
export async function loadGroup(job: GroupJob): Promise<GroupResult> {
  const errors = new LoadErrors();
  const frameOf = messageFrames(job.conversationId, null);
  const slots = new Slots(job.senders * job.inFlight, job.members.length, (slot, number) => {
    sockets[slot % job.senders]?.send(frameOf(number));
  });
  const sockets = await Promise.all(
    job.members.map((member, receiver) => {
      const take = (frame: Buffer): void => {
        const number = numberOf(frame);
        if (number === undefined) errors.frame(frame);
        else slots.received(receiver, number);
      };
      return LoadSocket.open(member, take, errors.closed);
    }),
  );
  slots.begin();
  const rate = (await untilStarted(() => slots.completed > 0))
    ? await countPerSecond(job, () => slots.copies)
    : { perSecond: 0, busy: 0, cores: {} };
  slots.end();
  if (rate.perSecond > 0) await untilDrained(() => slots.inFlight === 0);
  return { ...rate, undelivered: slots.inFlight, unexpected: slots.unexpected, errors: errors.messages };
}
