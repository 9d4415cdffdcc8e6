import { numberText } from '../../measure/table';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { createConversation } from '../conversations';
import { type Figure, measureOnce } from '../chat-bench';
import { fillConversations, type FilledConversation } from '../history-rows';
import { type HistoryResult, historyResult } from '../jobs';

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
    const job = {
      kind: 'history' as const,
      url,
      accessToken: session.token,
      conversations: { long: pagesOf(longOne), short: pagesOf(shortOne) },
      warmUpPages: sizes.history.warmUpPages,
      pages: sizes.history.pages,
    };
    const results = await takeTurns(sizes.runs, {
      chat: () => measureOnce(bench, 'chat', job, historyResult, describePages),
    });
    return [
      {
        key: 'history',
        what: `a page of 50 out of ${numberText(sizes.history.long)} messages`,
        unit: 'ms',
        subject: 'chat',
        // The subject is the long conversation, the baseline the short one.
        readings: {
          ...readingsOf(results, ({ pageMs }) => pageMs['long'] ?? NaN),
          short: (results['chat'] ?? []).map(({ pageMs }) => pageMs['short'] ?? NaN),
        },
        thresholds: [{ against: 'short', atMost: 1.5 }],
      },
    ];
  },
};

function pagesOf({ id, firstMs, lastMs }: FilledConversation) {
  return { id, fromMs: firstMs + (lastMs - firstMs) * earliestShare, toMs: lastMs };
}

function describePages({ pageMs }: HistoryResult): string {
  return Object.entries(pageMs)
    .map(([name, ms]) => `${name} ${numberText(ms)} ms`)
    .join(', ');
}
