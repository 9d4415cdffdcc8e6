import { type DevnetChain } from './chain/chain';
import { newAccount, seedAccounts } from './chain/genesis';
import { community, custom, follow, includeBlocks, post, reply, type Signed, vote } from './content-operations';
import { initMiner } from './protocol';
import { beekeepers } from './sample-content';
import { type PostName } from './state/comments';
import { fullWeight } from './state/votes';

// More sample content, so that the pages of a blog's front end are full: several pages of posts, threads, profiles,
// a second community, reblogs, muted accounts and downvotes.

/** The account as which denser reads for visitors who are not logged in. */
const observer = 'hive.blog';

/** A community for journals, whose name means that only members may post. */
const gardeners = 'hive-200001';

/** Posts in a list have at most 20 per page. */
const diaryPosts = 25;

/** Number of blocks that `includeBlogContent` produces. */
export const blogContentBlocks = 6;

const swarm: PostName = { author: 'alice', permlink: 'the-first-swarm' };
const beds: PostName = { author: 'dave', permlink: 'raised-beds' };
const diary = (day: number): PostName => ({ author: 'erin', permlink: `garden-diary-${day}` });
const answer = (depth: number): PostName => ({
  author: depth % 2 === 0 ? 'bob' : 'dave',
  permlink: `re-raised-beds-${depth}`,
});

function contentByBlock(): Signed[][] {
  const days = Array.from({ length: diaryPosts }, (_none, index) => index + 1);
  const depths = Array.from({ length: 6 }, (_none, index) => index + 1);
  return [
    [observer, gardeners].map((name): Signed => ['account_create', newAccount(name), initMiner]),
    [
      profile('alice', 'Alice', 'Keeps bees since 2011.'),
      profile('erin', 'Erin', 'Writes a diary of her garden.'),
      community(gardeners, gardeners, 'updateProps', { props: { title: 'Gardeners', about: 'Beds and trees.' } }),
      community(gardeners, gardeners, 'setRole', { account: 'dave', role: 'mod' }),
      ...['dave', 'erin'].map((account) => community(gardeners, account, 'subscribe')),
      ...seedAccounts.filter((name) => name !== 'erin').map((name) => follow(name, 'erin')),
      custom('carol', 'follow', ['follow', { follower: 'carol', following: 'frank', what: ['ignore'] }]),
    ],
    [
      post(beds, gardeners, 'Raised beds', 'They dry out **sooner**.\n\n![bed](https://images.example/bed.jpg)', {
        tags: ['garden', 'wood'],
        image: ['https://images.example/bed.jpg'],
      }),
      ...days.map((day) => post(diary(day), 'garden', `Garden diary, day ${day}`, `Day ${day}: it rained.`)),
      post({ author: 'alice', permlink: 'a-frame-of-brood' }, 'bees', 'A frame of brood', 'It is full on both sides.'),
      // By an account that is no member: muted.
      post({ author: 'ivan', permlink: 'first-beans' }, gardeners, 'First beans', 'They are up.', { tags: ['garden'] }),
      post({ author: 'frank', permlink: 'buy-my-coin' }, 'money', 'Buy my coin', 'To the moon!', { tags: ['money'] }),
    ],
    [
      // A front end shows the original post.
      post({ author: 'bob', permlink: 'the-first-swarm-hive-100001' }, beekeepers, 'The first swarm', 'A cross-post.', {
        tags: ['cross-post'],
        original_author: swarm.author,
        original_permlink: swarm.permlink,
      }),
      custom('alice', 'reblog', ['reblog', { account: 'alice', ...beds }]),
      ...depths.map((depth) => reply(answer(depth), depth === 1 ? beds : answer(depth - 1), `Answer ${depth}.`)),
    ],
    [
      vote('alice', beds),
      vote('bob', beds, fullWeight / 4),
      ...days.slice(0, 5).map((day) => vote('carol', diary(day), day * 1_000)),
      vote('grace', { author: 'frank', permlink: 'buy-my-coin' }, -fullWeight),
    ],
    [vote('heidi', swarm), vote('dave', answer(1))],
  ];
}

/** Produces `blogContentBlocks` blocks after `includeSampleContent`, always the same. */
export function includeBlogContent(chain: DevnetChain): void {
  includeBlocks(chain, contentByBlock());
}

function profile(account: string, name: string, about: string): Signed {
  const posting_json_metadata = JSON.stringify({ profile: { name, about, version: 2 } });
  return ['account_update2', { account, json_metadata: '', posting_json_metadata, extensions: [] }, account];
}
