import { isAccountName } from '../state/account';
import { type NamedOperation } from '../dialect';
import { type Fields, fieldsOf, isFields, textOf } from '../fields';
import { type PostName } from '../state/comments';
import { accountCreationFee } from '../protocol';
import { type ChainState } from '../state/state';
import { accountCreatedBy, accountOf } from './created-accounts';

/** Fields that name an account. Some of them hold other values in some operations. */
const accountFields = new Set([
  ...['account', 'account_creator', 'account_to_recover', 'agent', 'author', 'benefactor', 'comment_author', 'creator'],
  ...['curator', 'current_owner', 'delegatee', 'delegator', 'follower', 'following', 'from', 'from_account', 'owner'],
  ...['new_recovery_account', 'old_recovery_account', 'open_owner', 'parent_author', 'payer', 'producer', 'proposer'],
  ...['proxy', 'publisher', 'receiver', 'recovery_account', 'seller', 'to', 'to_account', 'treasury', 'voter', 'who'],
  ...['witness', 'worker', 'worker_account', 'required_auths', 'required_posting_auths'],
]);

const postFields = [
  ['author', 'permlink'],
  ['parent_author', 'parent_permlink'],
  ['comment_author', 'comment_permlink'],
] as const;

/** Accounts and posts that operations name. */
export interface Named {
  readonly accounts: ReadonlySet<string>;
  /** By `author/permlink`. */
  readonly posts: ReadonlyMap<string, PostName>;
}

/**
 * Returns the accounts and posts that operations name, none of them creates, and the state before them does not have.
 *
 * @param operations in the order of the chain: a post that is named before its `comment` is older, and the `comment` an
 * edit, like one with a patch
 */
export function findWithoutOrigin(operations: readonly NamedOperation[], before: ChainState): Named {
  const accounts = new Set<string>();
  const posts = new Map<string, PostName>();
  const written = new Set<string>();
  for (const operation of operations) {
    const post = postCreatedBy(operation);
    if (post !== undefined && !posts.has(keyOf(post))) written.add(keyOf(post));
    for (const fields of objectsIn(operation.value)) {
      for (const name of accountsNamedBy(fields)) accounts.add(name);
      for (const named of postsNamedBy(fields)) if (!written.has(keyOf(named))) posts.set(keyOf(named), named);
    }
  }
  for (const { name } of before.accounts) accounts.delete(name);
  for (const operation of operations) accounts.delete(accountCreatedBy(operation)?.new_account_name ?? '');
  return { accounts, posts };
}

/** The post of a `comment` that may be its first version. */
function postCreatedBy({ name, value }: NamedOperation): PostName | undefined {
  if (name !== 'comment') return undefined;
  const { author, permlink, body } = fieldsOf(value);
  const isPatch = textOf(body).startsWith('@@ ');
  return isPatch ? undefined : { author: textOf(author), permlink: textOf(permlink) };
}

const keyOf = ({ author, permlink }: PostName) => `${author}/${permlink}`;

function accountsNamedBy(fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([field]) => accountFields.has(field))
    .flatMap(([, value]) => [value].flat())
    .filter((name): name is string => typeof name === 'string' && isAccountName(name));
}

function postsNamedBy(fields: Fields): PostName[] {
  return postFields.flatMap(([authorField, permlinkField]) => {
    const [author, permlink] = [fields[authorField], fields[permlinkField]];
    const isPost =
      typeof author === 'string' && isAccountName(author) && typeof permlink === 'string' && permlink !== '';
    return isPost ? [{ author, permlink }] : [];
  });
}

/** Operations that create the accounts and the posts. */
export function originsOf({ accounts, posts }: Named): NamedOperation[] {
  return [
    ...[...accounts].map((name) => ({
      name: 'account_create',
      value: { fee: accountCreationFee, ...accountOf(name) },
    })),
    ...[...posts.values()].map(({ author, permlink }) => ({
      name: 'comment',
      value: {
        ...{ parent_author: '', parent_permlink: 'recorded', author, permlink },
        ...{ title: '', body: 'This post was not recorded.', json_metadata: '' },
      },
    })),
  ];
}

/** The objects in a value, at all depths, and in the JSON of `custom_json`. */
function* objectsIn(value: unknown): Generator<Fields> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  if (!isFields(value)) return;
  yield value;
  for (const [field, item] of Object.entries(value)) yield* objectsIn(field === 'json' ? parseJson(item) : item);
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    // Applications may write anything.
    return undefined;
  }
}
