import { type OwnProcess } from '@waggle/running';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { createConversation } from '../conversations';
import { cpuUsOf, type Figure, measureOnce, readingsAndProblem } from '../chat-bench';
import { type GroupResult, groupResult, type Participant } from '../jobs';
import { participantAt } from '../pairs';

/** Messages received per second by the members of a group, all online. */
export const group: Figure = {
  name: 'group',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { warmUpMs, measuredMs } = sizes;
    const { senders, inFlight } = sizes.group;
    const { url, process } = await stack.chat();
    const sessions = await stack.sessions(stack.accounts.group);
    const [creator, ...others] = sessions;
    if (creator === undefined) throw new RangeError('a group without members');
    const usernames = others.map(({ username }) => username);
    const conversationId = await createConversation(url, creator, usernames);

    const measureGroup = (subject: string, server: OwnProcess, id: string, members: Participant[]) => {
      const processes = stack.processesOf(server);
      const period = { warmUpMs, measuredMs };
      const job = { kind: 'group' as const, conversationId: id, members, senders, inFlight, processes, ...period };
      return measureOnce(bench, subject, job, groupResult, describeDeliveries);
    };
    const atChat = sessions.map((session) => ({ url, token: session.ws_token }));
    const baseline = await stack.baseline();
    const atBaseline = stack.accounts.group.map((account) => participantAt(baseline.url, account));
    const results = await takeTurns(sizes.runs, {
      chat: () => measureGroup('chat', process, conversationId, atChat),
      'insert-each': () => measureGroup('insert-each', baseline.process, 'group', atBaseline),
    });
    return [
      {
        key: 'group',
        what: `deliveries in a group of ${sizes.group.members}`,
        unit: 'deliveries/s',
        subject: 'chat',
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        cpuUs: cpuUsOf(results, ({ perSecond }) => perSecond / sizes.group.members),
        thresholds: [{ against: 'insert-each', atLeast: 1 }],
      },
    ];
  },
};

function describeDeliveries({ perSecond, busy }: GroupResult): string {
  return `${numberText(perSecond)} deliveries/s (load generator busy ${Math.round(busy * 100)} %)`;
}
