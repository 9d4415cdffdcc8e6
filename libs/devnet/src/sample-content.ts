import { type DevnetChain } from './chain/chain';
import { newAccount } from './chain/genesis';
import {
  community as communityAction,
  custom,
  follow,
  include,
  includeBlocks,
  post,
  reply,
  type Signed,
  vote,
} from './content-operations';
import { initMiner } from './protocol';
import { type PostName } from './state/comments';
import { fullWeight } from './state/votes';

// Sample content for a new chain: posts, replies, votes, follows and a community.

/** A community, whose name means that everyone may post. */
export const beekeepers = 'hive-100001';

/** Number of blocks that `includeSampleContent` produces. */
export const sampleContentBlocks = 5;

const swarm: PostName = { author: 'alice', permlink: 'the-first-swarm' };
const honey: PostName = { author: 'bob', permlink: 'a-jar-of-honey' };
const question: PostName = { author: 'bob', permlink: 're-the-first-swarm' };

/** The operations of each block. */
function contentByBlock(): Signed[][] {
  return [
    [['account_create', newAccount(beekeepers), initMiner]],
    [
      community(beekeepers, 'updateProps', { props: { title: 'Beekeepers', about: 'All about bees.', lang: 'en' } }),
      community(beekeepers, 'setRole', { account: 'alice', role: 'admin' }),
      ...['alice', 'bob', 'carol'].map((account) => community(account, 'subscribe')),
      follow('bob', 'alice'),
      follow('carol', 'alice'),
      follow('alice', 'bob'),
    ],
    [
      post(swarm, beekeepers, 'The first swarm', 'It left the hive at noon and hung in the apple tree for an hour.'),
      post(honey, 'honey', 'A jar of honey', 'From the hives of @alice and @carol.'),
    ],
    [
      reply(question, swarm, 'Did you catch it?'),
      reply({ author: 'carol', permlink: 're-a-jar-of-honey' }, honey, 'I would like one too.'),
      custom('carol', 'reblog', ['reblog', { account: 'carol', ...swarm }]),
    ],
    [
      reply({ author: 'alice', permlink: 're-re-the-first-swarm' }, question, 'Yes, @bob, with a box.'),
      vote('bob', swarm),
      vote('carol', swarm, fullWeight / 2),
      vote('alice', question),
      vote('alice', honey),
      community('alice', 'pinPost', { account: swarm.author, permlink: swarm.permlink }),
      community('alice', 'setUserTitle', { account: 'bob', title: 'Box builder' }),
    ],
  ];
}

/** Produces `sampleContentBlocks` blocks with content of the seed accounts, always the same. */
export function includeSampleContent(chain: DevnetChain): void {
  includeBlocks(chain, contentByBlock());
}

const community = (account: string, action: string, fields?: object): Signed =>
  communityAction(beekeepers, account, action, fields);

/**
 * Includes one more reply to alice in the next block, after `includeSampleContent`. @param number of the reply, from 1
 * on
 */
export function includeReply(chain: DevnetChain, number: number): void {
  const author = number % 2 === 0 ? 'bob' : 'carol';
  include(chain, reply({ author, permlink: `visit-${number}` }, swarm, `I came to see the bees, visit ${number}.`));
}
