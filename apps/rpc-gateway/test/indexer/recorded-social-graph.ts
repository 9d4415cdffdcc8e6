import { z } from 'zod';

const name = z.string().catch('');
const amount = z.object({ amount: z.coerce.bigint() }).catch({ amount: 0n });
const value = z.object({
  ...{ author: name, id: name, json: name, new_account_name: name, parent_author: name, parent_permlink: name },
  ...{ permlink: name, voter: name, worker_account: name },
  rshares: z.coerce.bigint().catch(0n),
  weight: z.coerce.bigint().catch(0n),
  ...{ total_payout_value: amount, curator_payout_value: amount, beneficiary_payout_value: amount },
  required_auths: z.array(z.string()).catch([]),
  required_posting_auths: z.array(z.string()).catch([]),
  work: z
    .object({ value: z.object({ input: z.object({ worker_account: name }) }) })
    .optional()
    .catch(undefined),
});

/** The fields of all operations that matter, with the type and the position. */
const operation = z.object({
  block: z.int(),
  trx_id: z.string(),
  timestamp: z.string(),
  op: z.object({ type: z.string(), value }),
});

/** `{…}`, before block 6,000,000, or `["follow", {…}]`. */
const payload = z.object({
  account: name,
  author: name,
  permlink: name,
  follower: name,
  following: z.unknown().optional(),
  what: z.unknown().optional(),
  delete: name,
});
const command = z.union([z.tuple([z.enum(['follow', 'reblog']), payload]), payload]);

/** What an index has in common with the expected one, as sorted lines. */
export interface SocialGraph {
  readonly accounts: string[];
  /** `author/permlink`, and whether it is deleted. */
  readonly posts: string[];
  /** `post voter rshares percent`. */
  readonly votes: string[];
  /** `post payout is_paid total_votes`, of posts that are not deleted. */
  readonly payouts: string[];
  /** `post children`, without posts that have none. */
  readonly children: string[];
  /** `post account`. */
  readonly reblogs: string[];
  /** `follower following lists`: 1 if it follows, 2 if it ignores. */
  readonly follows: string[];
  /** `account reputation`, without zero reputations. */
  readonly reputations: string[];
}

/**
 * Computes what an index of operations has to contain from the rules of hived and Hivemind alone: it shares no code
 * with the indexer.
 *
 * @param older accounts that existed before the operations
 * @param operations as account_history_api writes them
 */
export function foldSocialGraph(older: Iterable<string>, operations: Iterable<object>): SocialGraph {
  const accounts = new Set(older);
  const created = new Set<string>();
  const live = new Set<string>();
  const deleted: string[] = [];
  /** By post, then by account. */
  const votes = new Map<string, Map<string, { rshares: bigint; percent: bigint; isEffective: boolean }>>();
  /** Votes that a further vote of the account replaces, until the post is paid. */
  const open = new Map<string, Map<string, bigint>>();
  const payouts = new Map<string, { payout: bigint; isPaid: boolean }>();
  const parents = new Map<string, string>();
  const children = new Map<string, number>();
  const countReply = (post: string, change: number) => {
    for (let above = parents.get(post); above !== undefined; above = parents.get(above))
      children.set(above, (children.get(above) ?? 0) + change);
  };
  const setVote = (post: string, voter: string, change: object) => {
    if (!accounts.has(voter) || !live.has(post)) return;
    const ofPost = votes.get(post) ?? new Map<string, { rshares: bigint; percent: bigint; isEffective: boolean }>();
    const before = ofPost.get(voter) ?? { rshares: 0n, percent: 0n, isEffective: false };
    votes.set(post, ofPost.set(voter, { ...before, ...change }));
  };
  const reblogs = new Map<string, Set<string>>();
  /** By `follower following`. */
  const lists = new Map<string, 1 | 2>();
  const reputations = new Map<string, bigint>();
  const all = [...operations].map((json) => operation.parse(json));
  const ineffective = new Set(
    all
      .filter(({ op }) => op.type === 'ineffective_delete_comment_operation')
      .map(({ trx_id: id, op }) => `${id} ${op.value.author}/${op.value.permlink}`),
  );

  for (const {
    block,
    trx_id: transaction,
    timestamp,
    op: { type, value },
  } of all) {
    const post = `${value.author}/${value.permlink}`;
    switch (type) {
      case 'account_create_operation':
      case 'account_create_with_delegation_operation':
      case 'create_claimed_account_operation':
      case 'pow_operation':
      case 'pow2_operation': {
        const account =
          value.new_account_name || value.worker_account || (value.work?.value.input.worker_account ?? '');
        if (!accounts.has(account)) created.add(account);
        accounts.add(account);
        break;
      }
      case 'comment_operation':
        if (
          accounts.has(value.author) &&
          (value.parent_author === '' || live.has(`${value.parent_author}/${value.parent_permlink}`))
        ) {
          if (live.has(post)) break;
          live.add(post);
          payouts.set(post, { payout: 0n, isPaid: false });
          if (value.parent_author !== '') parents.set(post, `${value.parent_author}/${value.parent_permlink}`);
          countReply(post, 1);
        }
        break;
      case 'delete_comment_operation':
        if (ineffective.has(`${transaction} ${post}`) || !live.delete(post)) break;
        deleted.push(post);
        countReply(post, -1);
        for (const rows of [votes, open, payouts, parents, children]) rows.delete(post);
        reblogs.delete(post);
        break;
      case 'comment_payout_update_operation':
        open.delete(post);
        if (live.has(post)) payouts.set(post, { payout: payouts.get(post)?.payout ?? 0n, isPaid: true });
        break;
      case 'vote_operation':
        setVote(post, value.voter, { percent: value.weight });
        break;
      case 'comment_reward_operation':
        // Between hard forks 12 and 17 the first of two payouts, which is not announced otherwise, removes the votes
        // too.
        if (timestamp >= '2016-07-26T15:00:00' && timestamp < '2017-03-30T15:00:00') open.delete(post);
        if (live.has(post)) {
          const payout = [value.total_payout_value, value.curator_payout_value, value.beneficiary_payout_value];
          payouts.set(post, {
            isPaid: payouts.get(post)?.isPaid === true,
            payout: payout.reduce((sum, part) => sum + part.amount, 0n),
          });
        }
        break;
      case 'effective_comment_vote_operation': {
        if (!accounts.has(value.voter) || !accounts.has(value.author)) break;
        const before = open.get(post)?.get(value.voter) ?? 0n;
        for (const [rshares, sign] of [
          [before, -1n],
          [value.rshares, 1n],
        ] as const) {
          const [ofVoter, ofAuthor] = [reputations.get(value.voter) ?? 0n, reputations.get(value.author) ?? 0n];
          const change = sign * (rshares >> 6n);
          // A downvote counts if the voter has more reputation than the author without the voter's previous vote.
          const rival = sign < 0n ? ofAuthor + change : ofAuthor;
          if (ofVoter >= 0n && (rshares >= 0n || (ofVoter > 0n && ofVoter > rival)))
            reputations.set(value.author, ofAuthor + change);
        }
        if (live.has(post)) {
          open.set(post, (open.get(post) ?? new Map<string, bigint>()).set(value.voter, value.rshares));
          setVote(post, value.voter, { rshares: value.rshares, isEffective: true });
        }
        break;
      }
      case 'custom_json_operation': {
        const [signer = '', ...others] = value.required_posting_auths;
        if (!['follow', 'reblog'].includes(value.id) || others.length + value.required_auths.length > 0) break;
        const parsed = command.safeParse(parse(value.json)).data;
        if (parsed === undefined || (!Array.isArray(parsed) && block >= 6_000_000)) break;
        const [kind, fields] = Array.isArray(parsed) ? parsed : [value.id, parsed];
        const target = `${fields.author}/${fields.permlink}`;
        if (kind === 'reblog' && fields.account === signer && accounts.has(signer) && live.has(target)) {
          const of = reblogs.get(target) ?? new Set();
          if (fields.delete === 'delete') of.delete(signer);
          else of.add(signer);
          reblogs.set(target, of);
        }
        if (kind !== 'follow' || fields.follower !== signer || !accounts.has(signer) || !Array.isArray(fields.what))
          break;
        const [first] = fields.what;
        // False in Python.
        const what = !first || ['[]', '{}'].includes(JSON.stringify(first)) ? '' : first;
        for (const following of [fields.following].flat()) {
          if (typeof following !== 'string' || !accounts.has(following) || following === signer) continue;
          if (what === 'blog' || what === 'follow') lists.set(`${signer} ${following}`, 1);
          else if (what === 'ignore') lists.set(`${signer} ${following}`, 2);
          else if (what === '') lists.delete(`${signer} ${following}`);
        }
        break;
      }
    }
  }

  const lines = <Value>(map: Iterable<readonly [string, Value]>, of: (key: string, value: Value) => string[]) =>
    [...map].flatMap(([key, each]) => of(key, each)).sort();
  return {
    accounts: [...created].sort(),
    posts: [...[...live].map((post) => `${post} false`), ...deleted.map((post) => `${post} true`)].sort(),
    votes: lines(votes, (post, of) =>
      [...of].map(([voter, { rshares, percent }]) => `${post} ${voter} ${rshares} ${percent}`),
    ),
    payouts: lines(payouts, (post, { payout, isPaid }) => {
      const counted = [...(votes.get(post)?.values() ?? [])].filter(({ isEffective }) => isEffective);
      return [`${post} ${payout} ${isPaid} ${counted.length}`];
    }),
    children: lines(children, (post, count) => (count === 0 ? [] : [`${post} ${count}`])),
    reblogs: lines(reblogs, (post, of) => [...of].map((account) => `${post} ${account}`)),
    follows: lines(lists, (pair, list) => [`${pair} ${list}`]),
    reputations: lines(reputations, (account, each) => (each === 0n ? [] : [`${account} ${each}`])),
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not JSON.
    return undefined;
  }
}
