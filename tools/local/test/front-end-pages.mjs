// Requests the pages of a front end through a client library, loaded as in applications: {library, origin} on stdin,
// the pages on stdout. JSON-RPC is at /rpc of the origin. A process of its own, because wax is an ES module with
// WebAssembly.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { library, origin } = JSON.parse(readFileSync(0, 'utf8'));
const url = `${origin}/rpc`;
const limit = 20;
const swarm = { author: 'alice', permlink: 'the-first-swarm' };
const start = { start_author: '', start_permlink: '' };
const reputationPath = '/accounts/{account-name}/reputation';

/** The calls of denser, for a visitor who is not logged in, and of Ecency, as docs/front-ends.md lists them. */
const denser = { observer: 'hive.blog' };
const ecency = { observer: '' };

/** The pages that every library requests, with the parameters of a front end. */
function pagesOf(call, { observer }) {
  const posts = (sort, account, from = start) =>
    call('bridge.get_account_posts', { sort, account, ...from, limit, observer });
  const ranked = (sort, tag) => call('bridge.get_ranked_posts', { sort, ...start, limit, tag, observer });
  return {
    blog: () => posts('blog', 'alice'),
    diary: async () => {
      const first = await posts('posts', 'erin');
      const { author, permlink } = first.at(-1);
      return [...first, ...(await posts('posts', 'erin', { start_author: author, start_permlink: permlink }))];
    },
    feed: () => posts('feed', 'bob'),
    trending: () => ranked('trending', ''),
    mutedPost: () => call('bridge.get_post', { author: 'ivan', permlink: 'first-beans', observer }),
    communityPosts: () => ranked('created', 'hive-100001'),
    community: () => call('bridge.get_community', { name: 'hive-100001', observer }),
    communities: () => call('bridge.list_communities', { sort: 'rank', query: null, observer }),
    subscribers: () => call('bridge.list_subscribers', { community: 'hive-100001' }),
    roles: () => call('bridge.list_community_roles', { community: 'hive-100001' }),
    subscriptions: () => call('bridge.list_all_subscriptions', { account: 'dave' }),
    profile: () => call('bridge.get_profile', { account: 'alice' }),
    profiles: () => call('bridge.get_profiles', { accounts: ['alice', 'erin'] }),
    relationship: () => call('bridge.get_relationship_between_accounts', ['bob', 'alice']),
    post: () => call('bridge.get_post', { ...swarm, observer }),
    normalized: () => call('bridge.normalize_post', { post: swarm }),
    discussion: () => call('bridge.get_discussion', { author: 'dave', permlink: 'raised-beds', observer }),
    notifications: () => call('bridge.account_notifications', { account: 'erin', limit: 100 }),
    // Ids have more digits than a number of JavaScript.
    notificationsByPage: async () => {
      const all = [];
      for (let last_id; ; last_id = all.at(-1).id) {
        const page = await call('bridge.account_notifications', { account: 'erin', limit: 3, last_id });
        if (page.length === 0) return all;
        all.push(...page);
      }
    },
    unread: () => call('bridge.unread_notifications', { account: 'alice' }),
    followers: () => call('condenser_api.get_followers', ['erin', null, 'blog', 50]),
    muting: () => call('condenser_api.get_following', ['carol', '', 'ignore', 100]),
    votes: () => call('condenser_api.get_active_votes', [swarm.author, swarm.permlink]),
    ownVote: () =>
      call('database_api.list_votes', {
        start: ['bob', swarm.author, swarm.permlink],
        limit: 1,
        order: 'by_voter_comment',
      }),
    tags: () => call('condenser_api.get_trending_tags', ['', 250]),
    reblogs: () => call('condenser_api.get_blog_entries', ['alice', 0, 200]),
    accounts: () => call('condenser_api.get_accounts', [['alice']]),
    properties: () => call('condenser_api.get_dynamic_global_properties', []),
  };
}

const libraries = {
  dhive: () => {
    const { Client } = require('@hiveio/dhive');
    const client = new Client(url);
    return {
      ...pagesOf((method, params) => client.call(...method.split('.'), params), ecency),
      // Its own functions for some pages.
      communityPosts: () => client.hivemind.getRankedPosts({ sort: 'created', tag: 'hive-100001', limit }),
      blog: () => client.hivemind.getAccountPosts({ sort: 'blog', account: 'alice', limit }),
      community: () => client.hivemind.getCommunity({ name: 'hive-100001', observer: '' }),
      subscriptions: () => client.hivemind.listAllSubscriptions({ account: 'dave' }),
      notifications: () => client.hivemind.getAccountNotifications({ account: 'erin', limit: 100 }),
      communities: () => client.hivemind.listCommunities({ sort: 'rank', limit: 100 }),
      accounts: () => client.database.getAccounts(['alice']),
      properties: () => client.database.getDynamicGlobalProperties(),
    };
  },
  'hive-js': () => {
    const { api } = require('@hiveio/hive-js');
    api.setOptions({ url });
    return {
      ...pagesOf((method, params) => api.callAsync(method, params), ecency),
      votes: () => api.getActiveVotesAsync(swarm.author, swarm.permlink),
      followers: () => api.getFollowersAsync('erin', '', 'blog', 50),
      tags: () => api.getTrendingTagsAsync('', 250),
      accounts: () => api.getAccountsAsync(['alice']),
      properties: () => api.getDynamicGlobalPropertiesAsync(),
    };
  },
  wax: async () => {
    const { createHiveChain } = await import('@hiveio/wax');
    const chain = await createHiveChain({ apiEndpoint: url, restApiEndpoint: origin });
    const { api } = chain.extend();
    const { restApi } = chain.extendRest({
      'reputation-api': { accounts: { urlPath: 'accounts/{account-name}', reputation: { urlPath: 'reputation' } } },
    });
    return {
      ...pagesOf((method, params) => {
        const [namespace, query] = method.split('.');
        return api[namespace][query](params);
      }, denser),
      reputation: () => restApi['reputation-api'].accounts.reputation({ 'account-name': 'alice' }),
      accounts: async () =>
        (await api.database_api.find_accounts({ accounts: ['alice'], delayed_votes_active: false })).accounts,
      properties: () => api.database_api.get_dynamic_global_properties({}),
    };
  },
  'hive-tx': async () => {
    const { callREST, callRPC, config } = await import('hive-tx');
    config.nodes = [url];
    config.restNodes = [origin];
    return {
      ...pagesOf((method, params) => callRPC(method, params), ecency),
      reputation: () => callREST('reputation', reputationPath, { 'account-name': 'alice' }),
    };
  },
};

const pages = {};
for (const [page, request] of Object.entries(await libraries[library]())) {
  pages[page] = await request().then(
    (result) => ({ result }),
    (error) => ({ error: String(error?.message ?? error) }),
  );
}
// Waits until the parent has read it, unlike writeFileSync.
process.stdout.write(JSON.stringify(pages));
