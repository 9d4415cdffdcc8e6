import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { createConversation } from '../conversations';
import { type Figure, measureOnce } from '../chat-bench';
import { fillConversations, type FilledConversation } from '../history-rows';
import { type ReadsResult, readsResult } from '../jobs';

const pageSize = 50;

/** Pages are read from the later half: near the beginning of a conversation they would not be full. */
const earliestShare = 0.5;

/** The time of a page of history, in a long and a short conversation. */
export const history: Figure = {
  name: 'history',
  async measure(bench) {
    const { stack, sizes, print } = bench;
    const { reader, longPartner, shortPartner } = stack.accounts.history;
    const { url } = await stack.chat();
    const session = await stack.session(reader);
    print(`  history: filling a conversation with ${sizes.history.long} messages`);
    const [longOne, shortOne] = await fillConversations(stack.chatDatabaseUrl, [
      { id: await createConversation(url, session, longPartner), messages: sizes.history.long },
      { id: await createConversation(url, session, shortPartner), messages: sizes.history.short },
    ]);
    if (longOne === undefined || shortOne === undefined) throw new Error('the filled conversations are missing');
    const { warmUpPages, pages } = sizes.history;
    const turns = Array.from({ length: warmUpPages + pages }, (_, turn) => turn);
    const job = {
      kind: 'reads' as const,
      url,
      accessToken: session.token,
      paths: {
        long: turns.map((turn) => pageOf(longOne, turn)),
        short: turns.map((turn) => pageOf(shortOne, turn)),
      },
      warmUp: warmUpPages,
      expected: { text: '"from":', times: pageSize },
    };
    const results = await takeTurns(sizes.runs, {
      chat: () => measureOnce(bench, 'chat', job, readsResult, describeReads),
    });
    return [
      {
        key: 'history',
        what: `a page of 50 out of ${numberText(sizes.history.long)} messages`,
        unit: 'ms',
        subject: 'chat',
        // The subject is the long conversation, the baseline the short one.
        readings: {
          ...readingsOf(results, (times) => times['long']?.p50Ms ?? NaN),
          short: (results['chat'] ?? []).map((times) => times['short']?.p50Ms ?? NaN),
        },
        thresholds: [{ against: 'short', atMost: 1.5 }],
      },
    ];
  },
};

/** The path of a page before a time that differs in each turn, but not in each run. */
function pageOf({ id, firstMs, lastMs }: FilledConversation, turn: number): string {
  // Multiples of the golden ratio are evenly distributed.
  const share = earliestShare + (1 - earliestShare) * ((turn * 0.618033988749895) % 1);
  const before = Math.floor(firstMs + (lastMs - firstMs) * share);
  return `/messages/chats?conversation_id=${id}&before=${before}&limit=${pageSize}`;
}

export function describeReads(times: ReadsResult): string {
  return Object.entries(times)
    .map(([name, { p50Ms, p95Ms }]) => `${name} p50 ${numberText(p50Ms)} ms, p95 ${numberText(p95Ms)} ms`)
    .join('; ');
}
