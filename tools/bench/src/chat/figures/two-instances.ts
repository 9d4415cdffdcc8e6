import { takeTurns } from '../../measure/take-turns';
import { type Figure, readingsAndProblem } from '../chat-bench';
import { pairsOfChat } from '../pairs';
import { measureDirect } from './direct';

const two = 'two instances';
const one = 'one instance';

/** As `direct`, with senders and receivers at different instances. */
export const twoInstances: Figure = {
  name: 'two-instances',
  async measure(bench) {
    const { stack, sizes } = bench;
    const first = await stack.chat();
    const second = await stack.startChat();
    const together = await pairsOfChat(stack, { senders: first.url, receivers: first.url });
    const apart = await pairsOfChat(stack, { senders: first.url, receivers: second.url });
    const results = await takeTurns(sizes.runs, {
      [two]: () => measureDirect(bench, two, apart),
      [one]: () => measureDirect(bench, one, together),
    });
    await stack.running.end(second.process);
    return [
      {
        key: 'two-instances',
        what: 'durable direct messages between two instances',
        unit: 'messages/s',
        subject: two,
        ...readingsAndProblem(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: one, atLeast: 0.7 }],
      },
    ];
  },
};
