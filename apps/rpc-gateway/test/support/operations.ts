import { type FollowedOperation } from '@waggle/chain';

/** An operation of a block. */
export interface OperationSketch extends Pick<FollowedOperation, 'type' | 'value' | 'isVirtual'> {
  /** Operations with the same name are in one transaction; by default each has its own. */
  readonly transaction?: string;
}

export interface PostSketch {
  readonly author: string;
  readonly permlink: string;
}

const real = (type: string, value: Record<string, unknown>): OperationSketch => ({ type, value, isVirtual: false });
const virtual = (type: string, value: Record<string, unknown>): OperationSketch => ({ type, value, isVirtual: true });

/** An amount in thousandths of HBD, in the format of nodes. */
const hbd = (thousandths: number) => ({ amount: String(thousandths), precision: 3, nai: '@@000000013' });

export function create(name: string, metadata = ''): OperationSketch {
  return real('account_create_operation', { creator: 'initminer', new_account_name: name, json_metadata: metadata });
}

/** Creates a post in a category, which may be a community. */
export function post(
  author: string,
  permlink: string,
  { category = 'bees', title = '', body = 'A text.', metadata = '' } = {},
): OperationSketch {
  const value = {
    parent_author: '',
    parent_permlink: category,
    author,
    permlink,
    title,
    body,
    json_metadata: metadata,
  };
  return real('comment_operation', value);
}

export function reply(author: string, permlink: string, to: PostSketch, body = 'A reply.'): OperationSketch {
  const parent = { parent_author: to.author, parent_permlink: to.permlink };
  return real('comment_operation', { ...parent, author, permlink, title: '', body, json_metadata: '' });
}

export function deletion({ author, permlink }: PostSketch): OperationSketch {
  return real('delete_comment_operation', { author, permlink });
}

/** Options of the payout, in thousandths of HBD and hundredths of a percent. */
export function options(
  { author, permlink }: PostSketch,
  { max = 1_000_000_000, percentHbd = 10_000, extensions = [] as unknown[] } = {},
): OperationSketch {
  const payout = { max_accepted_payout: hbd(max), percent_hbd: percentHbd };
  const allowed = { allow_votes: true, allow_curation_rewards: false };
  return real('comment_options_operation', { author, permlink, ...payout, ...allowed, extensions });
}

/** @param memo the link of a post, to promote it */
export function transfer(to: string, thousandths: number, memo: string): OperationSketch {
  return real('transfer_operation', { from: 'initminer', to, amount: hbd(thousandths), memo });
}

/** A vote as it is cast, in hundredths of a percent; `vote` is its effect. */
export function castVote(voter: string, { author, permlink }: PostSketch, percent = 10_000): OperationSketch {
  return real('vote_operation', { voter, author, permlink, weight: percent });
}

/** The virtual operation of a vote. @param pendingPayout of the post with it, in thousandths of HBD */
export function vote(
  voter: string,
  { author, permlink }: PostSketch,
  rshares: number | string,
  pendingPayout = 0,
): OperationSketch {
  const value = {
    voter,
    author,
    permlink,
    weight: 1,
    rshares,
    total_vote_weight: 1,
    pending_payout: hbd(pendingPayout),
  };
  return virtual('effective_comment_vote_operation', value);
}

export function paid({ author, permlink }: PostSketch): OperationSketch {
  return virtual('comment_payout_update_operation', { author, permlink });
}

/** The virtual operation of a payout. */
export function rewarded({ author, permlink }: PostSketch, thousandths = 0): OperationSketch {
  const others = { author_rewards: 0, curator_payout_value: hbd(0), beneficiary_payout_value: hbd(0) };
  const totals = { total_payout_value: hbd(thousandths), ...others };
  return virtual('comment_reward_operation', { author, permlink, ...totals });
}

/** A custom operation, signed by one account with its posting key. */
export function custom(signer: string, id: string, json: unknown): OperationSketch {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return real('custom_json_operation', { required_auths: [], required_posting_auths: [signer], id, json: text });
}

export function follow(follower: string, following: string | readonly string[], action = 'blog'): OperationSketch {
  return custom(follower, 'follow', ['follow', { follower, following, what: action === '' ? [] : [action] }]);
}

export function reblog(account: string, { author, permlink }: PostSketch): OperationSketch {
  return custom(account, 'follow', ['reblog', { account, author, permlink }]);
}

/** An action in a community. */
export function act(signer: string, action: string, community: string, payload: object = {}): OperationSketch {
  return custom(signer, 'community', [action, { community, ...payload }]);
}

export function readUpTo(account: string, date: string): OperationSketch {
  return custom(account, 'notify', ['setLastRead', { date }]);
}
