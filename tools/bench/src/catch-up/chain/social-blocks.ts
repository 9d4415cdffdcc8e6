import { type Devnet, devnetKeys } from '@waggle/devnet';
import { includeOtherOperations } from './other-operations';

/** How many blocks there are for each account that writes, votes and follows. */
const blocksPerAccount = 15;

/** Votes in each block: on Hive about an eighth of the operations. */
const votesPerBlock = 5;

/** Follows are several times as frequent as on Hive. */
const blocksPerFollow = 5;

/** How many of the last posts get votes. */
const votedPosts = 500;

/**
 * A post is paid out after its last vote, in less than half an hour instead of a week, so that most blocks have a
 * payout.
 */
export const socialPayoutSeconds = 3 * votedPosts;

const body = 'A paragraph of a post, about as long as people write it. '.repeat(18);

/**
 * Makes blocks with a post or reply, votes and a payout in each and some follows, among other operations: about the mix
 * of Hive.
 */
export function makeSocialBlocks(devnet: Devnet, blocks: number, otherOperations: number): void {
  const accounts = Math.floor(blocks / blocksPerAccount);
  const accountOf: AccountOf = (number) => `bench-${String(number % accounts).padStart(4, '0')}`;
  for (let number = 0; number < accounts; number += 1) devnet.createAccount(accountOf(number));
  const posts: { readonly author: string; readonly permlink: string }[] = [];
  for (let block = 0; block < blocks - accounts; block += 1) {
    includeOtherOperations(devnet, block, otherOperations);
    const author = accountOf(block);
    const parent = block % 3 === 0 ? undefined : posts.at(-1 - (block % 50));
    const post = { author, permlink: `p-${block}` };
    include(devnet, author, 'comment', {
      ...post,
      parent_author: parent?.author ?? '',
      parent_permlink: parent?.permlink ?? 'bees',
      title: '',
      body: `${body} @${accountOf(block * 13)}`,
      json_metadata: '',
    });
    posts.push(post);
    for (let vote = 0; vote < votesPerBlock; vote += 1) {
      const distance = (block * 31 + vote * 197) % Math.min(posts.length, votedPosts);
      const voter = accountOf(block * 7 + vote * 61);
      const voted = posts.at(-1 - distance) ?? post;
      // A repeated vote must differ in weight.
      include(devnet, voter, 'vote', { voter, ...voted, weight: 1_000 + (block % 9_000) });
    }
    if (block % blocksPerFollow === 0) follow(devnet, block, accountOf);
    devnet.chain.produceBlock();
  }
}

/** Returns the name of an account; the numbers repeat. */
type AccountOf = (number: number) => string;

function follow(devnet: Devnet, block: number, accountOf: AccountOf): void {
  const follower = accountOf(block);
  const what = block % 10 === 0 ? [] : ['blog'];
  const json = JSON.stringify(['follow', { follower, following: accountOf(block * 17 + 1), what }]);
  include(devnet, follower, 'custom_json', {
    required_auths: [],
    required_posting_auths: [follower],
    id: 'follow',
    json,
  });
}

function include(devnet: Devnet, signer: string, name: string, value: object): void {
  devnet.chain.include([[name, value]], [devnetKeys(signer).posting.wif]);
}
