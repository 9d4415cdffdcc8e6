import { type Measure } from '../../measure/measure';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type ChatBench, type Figure, measureOnce, readingsAndProblem } from '../chat-bench';
import { createConversation, firstMessageOf } from '../conversations';
import { type ReactionsJob, type ReactionsResult, reactionsResult } from '../jobs';
import { type ChatStack } from '../stack';

/** Many and few changes of reactions to one message while the members of its group are online. */
export const reactions: Figure = {
  name: 'reactions',
  async measure(bench) {
    const { stack, sizes } = bench;
    const { members, manyPerSecond, fewPerSecond } = sizes.reactions;
    const reacting = await groupOf(stack, members);
    const results = await takeTurns(sizes.runs, {
      many: () => measureReactions(bench, reacting, manyPerSecond),
      few: () => measureReactions(bench, reacting, fewPerSecond),
    });
    const measure = (
      key: string,
      what: string,
      unit: string,
      read: (result: ReactionsResult) => number,
      atMost: number,
    ): Measure => ({
      key: `reactions-${key}`,
      what: `${numberText(manyPerSecond)} changes of reactions/s to one message, ${members} online: ${what}`,
      unit,
      subject: 'many',
      ...readingsAndProblem(results, read),
      thresholds: [{ against: 'few', atMost }],
    });
    return [
      measure('p99', 'latency, p99', 'ms', ({ p99Ms }) => p99Ms, 10),
      measure(
        'bytes',
        'data that a member receives',
        'kB/s',
        ({ bytesPerSecond }) => bytesPerSecond / 1_000,
        manyPerSecond / fewPerSecond,
      ),
    ];
  },
};

type Reacting = Pick<ReactionsJob, 'messageId' | 'members'>;

/** Creates a group; all its members are to be online. */
async function groupOf(stack: ChatStack, size: number): Promise<Reacting> {
  const { url } = await stack.chat();
  const sessions = await stack.sessions(stack.accounts.group.slice(0, size));
  const [creator, ...others] = sessions;
  if (creator === undefined) throw new RangeError('a group without members');
  const conversationId = await createConversation(
    url,
    creator,
    others.map(({ username }) => username),
  );
  return {
    messageId: await firstMessageOf(url, creator, conversationId),
    members: sessions.map(({ username, ws_token }) => ({
      username,
      participant: { url, token: ws_token, capabilities: ['rich'] },
    })),
  };
}

function measureReactions(bench: ChatBench, reacting: Reacting, offeredPerSecond: number): Promise<ReactionsResult> {
  const { sizes } = bench;
  const { warmUpMs, measuredMs } = sizes;
  const { observers } = sizes.reactions;
  const job = { kind: 'reactions' as const, ...reacting, observers, offeredPerSecond, warmUpMs, measuredMs };
  return measureOnce(bench, `${numberText(offeredPerSecond)} changes/s`, job, reactionsResult, describeReactions);
}

function describeReactions({ p50Ms, p99Ms, bytesPerSecond }: ReactionsResult): string {
  return `p50 ${numberText(p50Ms)} ms, p99 ${numberText(p99Ms)} ms, ${numberText(bytesPerSecond / 1_000)} kB/s to each`;
}
