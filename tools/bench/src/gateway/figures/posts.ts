import { type Figure } from '../../measure/run-bench';
import { type Measure } from '../../measure/measure';
import { readingsOf, takeTurns } from '../../measure/take-turns';
import { type GatewayBench, problemOf, runCalls } from '../gateway-bench';
import { fillPosts, postLinks } from '../post-rows';

interface PostCall {
  readonly key: string;
  readonly method: string;
  /** JSON with `#` for the parts that differ between calls. */
  readonly params: string;
  /** What replaces `#`; by default numbers. */
  readonly links?: 'posts' | 'discussions';
}

const page = '"limit":20';
const ranked = (sort: string) => ({
  key: sort,
  method: 'bridge.get_ranked_posts',
  params: `{"sort":"${sort}",${page}}`,
});
/** The names of accounts end with a number from 1 on. */
const account = 'bench-1#';
const ofAccount = (sort: string) => ({
  key: `account-${sort}`,
  method: 'bridge.get_account_posts',
  params: `{"sort":"${sort}","account":"${account}",${page}}`,
});

const calls: readonly PostCall[] = [
  ...['trending', 'hot', 'created', 'payout'].map(ranked),
  {
    key: 'trending-observed',
    method: 'bridge.get_ranked_posts',
    params: `{"sort":"trending","observer":"${account}",${page}}`,
  },
  {
    key: 'created-tag',
    method: 'bridge.get_ranked_posts',
    params: `{"sort":"created","tag":"tag-1","observer":"${account}",${page}}`,
  },
  {
    key: 'trending-community',
    method: 'bridge.get_ranked_posts',
    params: `{"sort":"trending","tag":"hive-100010","observer":"${account}",${page}}`,
  },
  {
    key: 'trending-my',
    method: 'bridge.get_ranked_posts',
    params: `{"sort":"trending","tag":"my","observer":"${account}",${page}}`,
  },
  ...['blog', 'feed', 'posts', 'comments', 'replies', 'payout'].map(ofAccount),
  { key: 'discussion', method: 'bridge.get_discussion', params: '{#}', links: 'discussions' },
  { key: 'post', method: 'bridge.get_post', params: '{#}', links: 'posts' },
  { key: 'content', method: 'condenser_api.get_content', params: '{#}', links: 'posts' },
];

/** The discussions of the index that have at least so many replies. */
const minReplies = 150;
const accounts = 900;

/** Posts from a large index, and a route with the same statements. */
export const posts: Figure<GatewayBench> = {
  name: 'posts',
  async measure(bench) {
    const { stack, sizes, print } = bench;
    print('  filling an index');
    const databaseUrl = await stack.createDatabase();
    await fillPosts(databaseUrl, sizes.posts);
    const { gatewayUrl, bareUrl } = await stack.startPostServers(databaseUrl);
    const links = {
      posts: await postLinks(databaseUrl, 0),
      discussions: await postLinks(databaseUrl, minReplies),
    };
    const measures: Measure[] = [];
    for (const { key, method, params, links: kind } of calls) {
      print(`  ${key}:`);
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
      const job = { body, count: accounts, ...(kind !== undefined && { values: links[kind] }) };
      const subjects = {
        gateway: () => runCalls(bench, 'gateway', { url: gatewayUrl, path: '/rpc', ...job }),
        'bare Fastify': () => runCalls(bench, 'bare Fastify', { url: bareUrl, path: '/', ...job }),
      };
      // The first run does not count: statements are prepared, and pages are read from disk.
      if (sizes.postRuns > 1) await takeTurns(1, subjects);
      const results = await takeTurns(sizes.postRuns, subjects);
      measures.push({
        key: `posts-${key}`,
        what: `${method} ${key}`,
        unit: 'calls/s',
        subject: 'gateway',
        readings: readingsOf(results, ({ perSecond }) => perSecond),
        thresholds: [{ against: 'bare Fastify', atLeast: 0.6 }],
        problem: problemOf(results),
      });
    }
    return measures;
  },
};
