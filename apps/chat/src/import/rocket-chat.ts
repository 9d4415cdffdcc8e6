import { z } from 'zod';
import { type ImportRecord, pastTime, readJsonLines } from './import-record';

/** A relaxed or canonical date, as in mongodb.com/docs/manual/reference/mongodb-extended-json. */
const date = z
  .object({
    $date: z.union([z.iso.datetime({ offset: true }), z.object({ $numberLong: z.string().regex(/^-?\d+$/) })]),
  })
  .transform(({ $date }) => (typeof $date === 'string' ? Date.parse($date) : Number($date.$numberLong)))
  .pipe(pastTime);

const user = z.object({ username: z.string() });

/**
 * Documents of the collections, with the fields that are imported: github.com/RocketChat/Rocket.Chat,
 * packages/core-typings/src: IRoom.ts, ISubscription.ts and IMessage/IMessage.ts.
 */
const room = z.object({
  _id: z.string(),
  t: z.string(),
  name: z.string().nullish(),
  fname: z.string().nullish(),
  u: user.partial().nullish(),
  usernames: z.array(z.string()).nullish(),
  archived: z.boolean().nullish(),
});
const subscription = z.object({ rid: z.string(), u: user, roles: z.array(z.string()).nullish() });
const message = z.object({
  _id: z.string(),
  rid: z.string(),
  u: user,
  ts: date,
  msg: z.string().nullish(),
  t: z.string().nullish(),
  tmid: z.string().nullish(),
  editedAt: date.nullish(),
  _hidden: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
  reactions: z.record(z.string(), z.object({ usernames: z.array(z.string()) })).nullish(),
  files: z.array(z.object({ name: z.string().nullish(), typeGroup: z.string().nullish() })).nullish(),
  file: z.object({ name: z.string().nullish() }).nullish(),
  /** Besides files also quotes and previews, without a type. */
  attachments: z.array(z.object({ type: z.string().nullish(), description: z.string().nullish() })).nullish(),
});

const kinds: ReadonlyMap<string, 'channel' | 'group' | 'direct'> = new Map([
  ['c', 'channel'],
  ['p', 'group'],
  ['d', 'direct'],
]);

/** The files that `mongoexport` writes of `rocketchat_room`, `rocketchat_subscription` and `rocketchat_message`. */
export interface RocketChatFiles {
  rooms: string;
  subscriptions: string;
  messages: string;
}

/**
 * Reads three collections. Rooms of other types, such as Omnichannel, are ignored, and archived ones
 * (`archiveRoom` in apps/meteor), because no conversation of the chat is read-only.
 */
export async function* readRocketChat(files: RocketChatFiles): AsyncGenerator<ImportRecord> {
  /** By room: what its messages are counted as. */
  const ignored = new Map<string, string>();
  /** By room: who has created it, and may have left it since. */
  const creators = new Map<string, string>();
  yield* readJsonLines(files.rooms, function* roomRecords(value) {
    const { _id: key, t, name, fname, u, usernames, archived } = room.parse(value);
    const kind = kinds.get(t);
    if (kind === undefined) {
      ignored.set(key, 'messages of these rooms');
      yield { type: 'ignored', what: `rooms of type ${t}` };
      return;
    }
    if (archived === true) {
      ignored.set(key, 'messages of archived rooms');
      yield { type: 'ignored', what: 'archived rooms' };
      return;
    }
    yield { type: 'conversation', key, kind, ...(kind !== 'direct' && { name: fname || name || key }) };
    if (kind === 'direct')
      for (const each of usernames ?? []) yield { type: 'member', conversation: key, user: each, role: 'member' };
    else if (u?.username !== undefined) creators.set(key, u.username);
  });
  yield* readJsonLines(files.subscriptions, function* memberRecords(value) {
    const { rid: conversation, u, roles } = subscription.parse(value);
    if (ignored.has(conversation)) return;
    const isModerator = roles?.some((each) => each === 'owner' || each === 'moderator') === true;
    const isCreator = creators.get(conversation) === u.username;
    yield {
      type: 'member',
      conversation,
      user: u.username,
      role: isCreator ? 'creator' : isModerator ? 'moderator' : 'member',
    };
  });
  yield* readJsonLines(files.messages, function* messageRecords(value) {
    const {
      _id: identity,
      rid: conversation,
      u,
      ts,
      msg,
      t,
      tmid,
      editedAt,
      reactions,
      attachments,
      ...rest
    } = message.parse(value);
    const what = ignored.get(conversation) ?? kindOfIgnored(t, rest._hidden);
    if (what !== undefined) {
      yield { type: 'ignored', what };
      return;
    }
    if (rest.pinned === true) yield { type: 'ignored', what: 'pins' };
    // The text that was entered with a file; newer versions store it in `msg`.
    const captions = (attachments ?? []).flatMap(({ type, description }) => (type === 'file' ? [description] : []));
    // An image is followed by its thumbnail, which older versions do not mark.
    const files = (rest.files ?? []).filter(
      ({ typeGroup }, index, { length }) =>
        typeGroup !== 'thumb' && !(index === 1 && length === 2 && attachments?.length === 1),
    );
    const attached = rest.files ? files : rest.file ? [rest.file] : [];
    yield {
      type: 'post',
      post: {
        conversation,
        identity,
        ...(tmid && { repliesTo: tmid }),
        author: u.username,
        sentAtMs: ts,
        text: [msg, ...captions].filter((each) => each).join('\n'),
        ...(editedAt && { editedAtMs: editedAt }),
        reactions: Object.entries(reactions ?? {}).flatMap(([name, { usernames }]) =>
          usernames.map((each) => ({ user: each, name })),
        ),
        files: attached.map(({ name }) => name ?? 'file'),
      },
    };
  });
}

function kindOfIgnored(t: string | null | undefined, isHidden: boolean | null | undefined): string | undefined {
  // A former text of an edited message, or a message that was hidden.
  if (isHidden === true) return 'hidden messages';
  if (t === 'e2e') return 'end-to-end encrypted messages';
  return t ? 'system messages' : undefined;
}
