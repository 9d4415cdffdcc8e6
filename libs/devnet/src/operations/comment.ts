import { parseAccountName } from '../state/account';
import { type Comment } from '../state/comments';
import { assertion } from '../errors';
import { fieldsOf, isJson, textOf } from '../fields';
import { hiveTime, secondsOf } from '../time';
import { type ApplyContext, defineOperation } from './operation';
import { checkNewPermlink, parsePermlink } from './permlinks';

/** HIVE_COMMENT_TITLE_LIMIT of hived: a title has fewer bytes. */
const titleByteLimit = 256;
/** HIVE_SOFT_MAX_COMMENT_DEPTH of hived. */
const maxDepth = 255;

interface Value {
  readonly parent_author: string;
  readonly parent_permlink: string;
  readonly author: string;
  readonly permlink: string;
  readonly title: string;
  readonly body: string;
  readonly json_metadata: string;
}

/** Writes or edits a post or a reply. */
export const comment = defineOperation<Value>({
  name: 'comment',
  parse(json) {
    const fields = fieldsOf(json);
    const value = {
      // A post has no parent author; its `parent_permlink` is its category.
      parent_author: fields['parent_author'] === '' ? '' : parseAccountName(fields['parent_author']),
      parent_permlink: parsePermlink(fields['parent_permlink']),
      author: parseAccountName(fields['author']),
      permlink: parsePermlink(fields['permlink']),
      title: textOf(fields['title']),
      body: textOf(fields['body']),
      json_metadata: textOf(fields['json_metadata']),
    };
    if (Buffer.byteLength(value.title) >= titleByteLimit) {
      throw assertion('title.size() < HIVE_COMMENT_TITLE_LIMIT', 'Title larger than size limit');
    }
    if (value.body === '') throw assertion('body.size() > 0', 'Body is empty');
    if (value.json_metadata !== '' && !isJson(value.json_metadata)) {
      throw assertion('fc::json::is_valid( json_metadata )', 'JSON Metadata not valid JSON');
    }
    return value;
  },
  requires: ({ author }) => [{ role: 'posting', account: author }],
  apply(value, context) {
    const { comments } = context.state;
    // Throws if the author does not exist.
    context.state.getAccount(value.author);
    const parent = value.parent_author === '' ? undefined : comments.get(value.parent_author, value.parent_permlink);
    if (parent && parent.depth >= maxDepth) {
      throw assertion(
        'parent->get_depth() < depth_limit',
        'Comment is nested ${x} posts deep, maximum depth is ${y}.',
        { x: parent.depth, y: maxDepth },
      );
    }
    const existing = comments.find(value.author, value.permlink);
    if (existing) edit(existing, value, context);
    else create(value, parent, context);
  },
});

function create(value: Value, parent: Comment | undefined, { state, now, payoutSeconds }: ApplyContext): void {
  const { author, permlink } = value;
  checkNewPermlink(value.parent_permlink);
  checkNewPermlink(permlink);
  state.comments.add({
    author,
    permlink,
    parentAuthor: value.parent_author,
    parentPermlink: value.parent_permlink,
    root: parent?.root ?? { author, permlink },
    category: parent?.category ?? value.parent_permlink,
    depth: parent ? parent.depth + 1 : 0,
    title: value.title,
    body: value.body,
    jsonMetadata: value.json_metadata,
    created: now,
    lastUpdate: now,
    children: 0,
    netRshares: 0n,
    absRshares: 0n,
    totalVoteWeight: 0n,
    payoutTime: hiveTime(secondsOf(now) + payoutSeconds),
    payout: undefined,
  });
  const account = state.getAccount(author);
  const { postCount, lastRootPost } = account.activity;
  const activity = { postCount: postCount + 1, lastPost: now, lastRootPost: parent ? lastRootPost : now };
  state.putAccount({ ...account, activity: { ...account.activity, ...activity } });
}

/** The parent of a reply cannot change. A post keeps its category, even if the edit has another one. */
function edit(comment: Comment, value: Value, { state, now }: ApplyContext): void {
  const isSameParent =
    comment.depth === 0
      ? value.parent_author === ''
      : comment.parentAuthor === value.parent_author && comment.parentPermlink === value.parent_permlink;
  if (!isSameParent) {
    throw assertion('comment->get_parent_id() == parent->get_id()', 'The parent of a comment cannot change.');
  }
  state.comments.put({
    ...comment,
    title: value.title,
    body: value.body,
    jsonMetadata: value.json_metadata,
    lastUpdate: now,
  });
}
