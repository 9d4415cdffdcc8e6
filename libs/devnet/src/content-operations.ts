import { type DevnetChain } from './chain/chain';
import { devnetKeys } from './keys';
import { type PostName } from './state/comments';
import { fullWeight } from './state/votes';

// Signed operations of sample content.

/** An operation in condenser_api's form, and its signer. */
export type Signed = readonly [name: string, value: object, signer: string];

/** Includes the operations of each block in blocks of their own. */
export function includeBlocks(chain: DevnetChain, blocks: readonly (readonly Signed[])[]): void {
  for (const operations of blocks) {
    for (const operation of operations) include(chain, operation);
    chain.produceBlock();
  }
}

/** Includes an operation in the next block. */
export function include(chain: DevnetChain, [name, value, signer]: Signed): void {
  const { active, posting } = devnetKeys(signer);
  chain.include([[name, value]], [name === 'account_create' ? active.wif : posting.wif]);
}

export function post(
  name: PostName,
  category: string,
  title: string,
  body: string,
  metadata: object = { tags: ['bees'] },
): Signed {
  const json_metadata = JSON.stringify({ app: 'devnet', ...metadata });
  const parent = { parent_author: '', parent_permlink: category };
  return ['comment', { ...parent, ...name, title, body, json_metadata }, name.author];
}

export function reply(name: PostName, to: PostName, body: string): Signed {
  const parent = { parent_author: to.author, parent_permlink: to.permlink };
  return ['comment', { ...parent, ...name, title: '', body, json_metadata: '{"app":"devnet"}' }, name.author];
}

export function vote(voter: string, { author, permlink }: PostName, weight = fullWeight): Signed {
  return ['vote', { voter, author, permlink, weight }, voter];
}

export function follow(follower: string, following: string): Signed {
  return custom(follower, 'follow', ['follow', { follower, following, what: ['blog'] }]);
}

export function community(name: string, account: string, action: string, fields: object = {}): Signed {
  return custom(account, 'community', [action, { community: name, ...fields }]);
}

export function custom(account: string, id: string, json: unknown): Signed {
  const value = { required_auths: [], required_posting_auths: [account], id, json: JSON.stringify(json) };
  return ['custom_json', value, account];
}
