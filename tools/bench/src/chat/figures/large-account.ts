import { type LoginSession } from '@waggle/contracts';
import { waitLimitMs } from '@waggle/testing';
import { z } from 'zod';
import { numberText } from '../../measure/table';
import { takeTurns } from '../../measure/take-turns';
import { type ChatBench, type Figure, measureOnce } from '../chat-bench';
import { type ReadsJob, readsResult } from '../jobs';
import { fillLargeAccounts, searches } from '../large-account-rows';
import { ChatStack } from '../stack';
import { describeReads } from './history';

/** As on a server with 4 GB for PostgreSQL. */
const sharedBuffers = '1GB';
/** How long the chat may take to index the messages. */
const indexingLimitMs = 3_600_000;
/** Searches after PostgreSQL is restarted: later ones find the pages in memory. */
const coldSearches = 20;

/** Searching all messages of an account, and counting what it has not read. */
export const largeAccount: Figure = {
  name: 'large-account',
  async measure({ stack: { running }, sizes, print }) {
    const { conversations, messagesEach, fewConversations, searches: warmSearches, counts } = sizes.largeAccount;
    const messages = numberText(conversations * messagesEach);
    const stack = await ChatStack.start(running, sizes, { sharedBuffers, settings: { SEARCH_INDEX_PERCENT: '100' } });
    const bench: ChatBench = { stack, sizes, print };
    const { many, few } = stack.accounts.largeAccount;
    print(`  large-account: filling ${numberText(conversations)} conversations with ${messages} messages`);
    await fillLargeAccounts(stack.chatDatabaseUrl, [
      { account: many, conversations, messagesEach },
      { account: few, conversations: fewConversations, messagesEach },
    ]);
    const { url, process } = await stack.chat();
    const [ofMany, ofFew] = [await stack.session(many), await stack.session(few)];
    const startedAt = Date.now();
    print('  large-account: waiting for the search index');
    await process.until('done with indexing', indexingLimitMs, () => isIndexed(url, ofMany));
    const seconds = (Date.now() - startedAt) / 1_000;
    print(`  large-account: indexed ${numberText((conversations * messagesEach) / seconds)} messages/s`);

    const read = (subject: string, session: LoginSession, paths: string[], warmUp: number, text: string) => {
      const expected = { text, times: 1 };
      const job: ReadsJob = {
        kind: 'reads',
        url,
        accessToken: session.token,
        paths: { [subject]: paths },
        warmUp,
        expected,
      };
      return measureOnce(bench, subject, job, readsResult, describeReads);
    };
    const search = (subject: string, count: number, warmUp: number) => {
      const paths = searches(count).map((q) => `/messages/search?q=${encodeURIComponent(q)}`);
      return read(subject, ofMany, paths, warmUp, '"hits":');
    };
    const count = (subject: string, session: LoginSession) =>
      read(
        subject,
        session,
        Array.from({ length: 2 * counts }, () => '/messages/unread-counts'),
        counts,
        '"',
      );
    const results = await takeTurns(sizes.runs, {
      search: () => search('search', 2 * warmSearches, warmSearches),
      cold: async () => {
        await stack.restartPostgres();
        return await search('cold', coldSearches, 0);
      },
      counts: () => count('counts', ofMany),
      few: () => count('few', ofFew),
    });
    const readings = (name: string, percentile: 'p50Ms' | 'p95Ms') =>
      (results[name] ?? []).map((times) => times[name]?.[percentile] ?? NaN);
    return [
      {
        key: 'search',
        what: `a search in ${messages} messages of the account, p95`,
        unit: 'ms',
        subject: 'search',
        readings: { search: readings('search', 'p95Ms'), cold: readings('cold', 'p95Ms') },
        thresholds: [{ against: 'cold', atMost: 1 }],
      },
      {
        key: 'unread-counts',
        what: `unread messages and mentions in ${numberText(conversations)} conversations, p50`,
        unit: 'ms',
        subject: 'counts',
        readings: { counts: readings('counts', 'p50Ms'), few: readings('few', 'p50Ms') },
        thresholds: [{ against: 'few', atMost: conversations / fewConversations }],
      },
    ];
  },
};

const complete = z.object({
  hits: z.tuple([z.unknown()], z.unknown()),
  building: z.undefined().optional(),
  indexed_until: z.undefined().optional(),
});

async function isIndexed(url: string, session: LoginSession): Promise<boolean> {
  const response = await fetch(`${url}/messages/search?q=word1`, {
    headers: { authorization: `Bearer ${session.token}` },
    signal: AbortSignal.timeout(waitLimitMs),
  });
  return complete.safeParse(await response.json()).success;
}
