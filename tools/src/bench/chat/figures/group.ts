import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { seatAt } from '../baselines';
import { createConversation } from '../conversations';
import { type Figure, measureOnce, readingsAndProblem } from '../figure';
import { type GroupResult, groupResult, type Seat } from '../jobs';

/** What arrives at the members of a group that are all online. */
export const group: Figure = {
  name: 'group',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { warmUpMs, measuredMs } = sizes;
    const { senders, inFlight } = sizes.group;
    const { url } = await stack.chat();
    const sessions = await stack.sessions(stack.accounts.group);
    const [creator, ...others] = sessions;
    if (creator === undefined) throw new RangeError('a group of nobody');
    const usernames = others.map(({ username }) => username);
    const conversationId = await createConversation(url, creator, usernames);
    const plain = await stack.baseline('insert-each');

    const measureGroup = (subject: string, id: string, members: Seat[]) => () => {
      const job = { kind: 'group' as const, conversationId: id, members, senders, inFlight, warmUpMs, measuredMs };
      return measureOnce(bench, subject, job, groupResult, tellDeliveries);
    };
    const atChat = sessions.map((session) => ({ url, token: session.ws_token }));
    const atPlain = stack.accounts.group.map((account) => seatAt(plain.url, account));
    const results = await takeTurns(sizes.runs, {
      chat: measureGroup('chat', conversationId, atChat),
      'send-each': measureGroup('send-each', 'group', atPlain),
    });
    return [
      {
        key: 'group',
        what: `deliveries in a group of ${sizes.group.members}`,
        unit: 'deliveries/s',
        subject: 'chat',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'send-each', atLeast: 1 }],
      },
    ];
  },
};

function tellDeliveries({ perSecond, busy }: GroupResult): string {
  return `${numberText(perSecond)} deliveries/s (load generator busy ${Math.round(busy * 100)} %)`;
}
