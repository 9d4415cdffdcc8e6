import { type GroupJob, type GroupResult } from '../jobs';
import { Incidents } from './incidents';
import { LoadSocket } from './load-socket';
import { messageFrames, numberOf } from './message-frames';
import { Slots } from './slots';
import { begun, countPerSecond, drained } from '../../measure/load-time';

/** A few members write, all members receive, the writers included; what counts is what arrives. */
export async function loadGroup(job: GroupJob): Promise<GroupResult> {
  const incidents = new Incidents();
  const frameOf = messageFrames(job.conversationId, null);
  const slots = new Slots(job.senders * job.inFlight, job.members.length, (slot, number) => {
    sockets[slot % job.senders]?.send(frameOf(number));
  });
  const sockets = await Promise.all(
    job.members.map((member, receiver) => {
      const take = (frame: Buffer) => {
        const number = numberOf(frame);
        if (number === undefined) incidents.frame(frame);
        else slots.arrived(receiver, number);
      };
      return LoadSocket.open(member, take, incidents.closed);
    }),
  );
  slots.begin();
  const rate = (await begun(() => slots.completed > 0))
    ? await countPerSecond(job, () => slots.copies)
    : { perSecond: 0, busy: 0, cores: {} };
  slots.end();
  if (rate.perSecond > 0) await drained(() => slots.underWay === 0);
  return { ...rate, undelivered: slots.underWay, unexpected: slots.unexpected, refusals: incidents.refusals };
}
