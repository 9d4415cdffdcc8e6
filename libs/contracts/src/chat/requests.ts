import { z } from 'zod';
import { absentIfEmpty } from '../absent-if-empty';
import { accountName } from '../account-name';
import { defaultChatLimits, historyPage, maxSearchLength, searchPage } from './limits';
import { identifier } from './values';
import { writtenName } from './written-name';

/** A whole number in a query string. */
const wholeNumber = z
  .string()
  .regex(/^\d{1,16}$/, 'not a whole number')
  .transform(Number)
  .meta({ type: 'integer' });

/**
 * The last instant of the year 9999, in milliseconds since 1970: later dates are formatted differently by PostgreSQL
 * and JavaScript.
 */
export const maxInstantMs = 253_402_300_799_999;

/**
 * An instant in a query string, as milliseconds since 1970 or an ISO 8601 time with a zone. It is parsed to
 * milliseconds, and to `maxInstantMs` if it is later.
 */
const instant = z
  .union(
    [wholeNumber.meta({ format: 'int64' }), z.iso.datetime({ offset: true }).transform((iso) => Date.parse(iso))],
    'neither milliseconds nor an ISO 8601 time',
  )
  .transform((ms) => Math.min(ms, maxInstantMs));

/** The start of the next page of a list, from the `Link` header of the page before it. */
const pageCursor = absentIfEmpty(z.string().regex(/^[\w-]{1,512}$/, 'not a cursor')).meta({
  description: 'Opaque: use the URL in the `Link` header with `rel="next"` of the previous page',
});

/** Number of items in a page: larger values than the maximum are reduced to it. */
const pageLimit = (page: { default: number; max: number }) =>
  absentIfEmpty(wholeNumber.pipe(z.int().min(1)))
    .transform((limit) => Math.min(limit ?? page.default, page.max))
    .meta({
      minimum: 1,
      default: page.default,
      description: `1 to ${page.max} messages, by default ${page.default}; larger values are reduced to the maximum`,
    });

/** `GET /users/channels`, `/users/friends` and `/users/friend-requests`. */
export const pageQuery = z.object({ cursor: pageCursor });
export type PageQuery = z.infer<typeof pageQuery>;

/** `GET /users/account`. */
export const accountQuery = z.object({ username: accountName });
export type AccountQuery = z.infer<typeof accountQuery>;

/** `GET /users/login`. `sig` signs the text `username` followed by `ts`. */
export const loginQuery = z.object({
  username: accountName,
  ts: z
    .string()
    .regex(/^[1-9]\d{0,15}$/, 'not milliseconds')
    .meta({ type: 'integer', format: 'int64', description: 'Milliseconds since 1970' }),
  sig: z.string().max(256).meta({ description: '65 bytes in hex: recovery byte, r, s, over sha256 of the text' }),
});
export type LoginQuery = z.infer<typeof loginQuery>;

/**
 * Whether the response has the additional fields of `extendedConversation`, `messageWithSeq` or `unreadMessageWithSeq`.
 */
const extended = z
  .string()
  .optional()
  .transform((value) => value === 'true')
  .meta({
    type: 'boolean',
    description:
      'With `true`: adds `last_seq`, `read_seq`, `unread_count`, `mention_count`, `first_unread_id`, `muted`, `favourite` and `last_message` to conversations, and to messages `seq` and, where they apply, `reply_to`, `mentions`, `revision`, `edited_at`, `attachments` and, in the history, `reactions`; adds `renewed_at` to sessions',
  });

/** `GET /users/sessions`, `/messages/conversations` and `/messages/new`. */
export const extendableQuery = z.object({ extended, cursor: pageCursor });
export type ExtendableQuery = z.infer<typeof extendableQuery>;

/** `GET /messages/conversation`: `id` or `ids`. */
export const conversationQuery = z
  .object({
    id: absentIfEmpty(identifier).meta({ description: 'One conversation; id or ids is required' }),
    ids: absentIfEmpty(
      z
        .string()
        .transform((list) =>
          list
            .split(',')
            .map((id) => id.trim())
            .filter((id) => id !== ''),
        )
        .pipe(z.array(identifier).max(200)),
    ).meta({ type: 'string', description: 'At most 200 identifiers, separated by commas' }),
    extended,
  })
  .refine((query) => query.id !== undefined || query.ids !== undefined, {
    path: ['id'],
    message: 'id or ids is required',
  });
export type ConversationQuery = z.infer<typeof conversationQuery>;

/** `GET /messages/chats`. */
export const historyQuery = z.object({
  conversation_id: identifier.meta({ description: 'The conversation of the messages' }),
  before: absentIfEmpty(instant).meta({
    description:
      'Only messages before this instant (exclusive): milliseconds since 1970, or an ISO 8601 time with a zone',
  }),
  after_seq: absentIfEmpty(wholeNumber).meta({
    description: 'Instead of `before`: the oldest messages after this sequence number (exclusive)',
  }),
  around: absentIfEmpty(identifier).meta({
    description:
      'Instead of `before`: this message, older ones in half of the page, and newer ones; ignored with `after_seq`',
  }),
  limit: pageLimit(historyPage),
  extended,
});
export type HistoryQuery = z.infer<typeof historyQuery>;

/** `GET /messages/changes`. */
export const changesQuery = z.object({
  conversation_id: identifier.meta({ description: 'The conversation of the changes' }),
  after_seq: absentIfEmpty(wholeNumber)
    .transform((seq) => seq ?? 0)
    .meta({ default: 0, description: 'Only changes after this sequence number (exclusive)' }),
  until_seq: absentIfEmpty(wholeNumber).meta({ description: 'Only changes up to this sequence number (inclusive)' }),
});
export type ChangesQuery = z.infer<typeof changesQuery>;

/** `GET /messages/mentions`. */
export const mentionsQuery = z.object({ cursor: pageCursor });
export type MentionsQuery = z.infer<typeof mentionsQuery>;

/** `GET /messages/revisions`. */
export const revisionsQuery = z.object({
  id: identifier.meta({ description: 'The message' }),
  cursor: pageCursor,
});
export type RevisionsQuery = z.infer<typeof revisionsQuery>;

/** `GET /messages/pins` and `GET /messages/receipts`. */
export const ofConversationQuery = z.object({ conversation_id: identifier });
export type OfConversationQuery = z.infer<typeof ofConversationQuery>;

/** `GET /messages/search`. */
export const searchMessagesQuery = z.object({
  q: z.string().max(maxSearchLength).meta({
    description:
      'Words and "phrases" that a message must have, without regard to case and accents, and `from:account`, `in:conversation-id`, `before:2026-01-31`, `after:2026-01-31` (from 00:00 UTC of that day on, or an ISO 8601 time with a zone), `has:link` and `has:image`. At least one word, `from:` or `has:`. In scripts without spaces between words any part of a text is found, otherwise whole words',
  }),
  limit: pageLimit(searchPage),
  cursor: pageCursor,
});
export type SearchMessagesQuery = z.infer<typeof searchMessagesQuery>;

/** `GET /messages/members`. */
export const membersQuery = z.object({
  conversation_id: identifier.meta({ description: 'The conversation of the members' }),
  cursor: pageCursor,
});
export type MembersQuery = z.infer<typeof membersQuery>;

/** A boolean, or the strings `true` and `false`: clients send the value of a checkbox. */
const checkbox = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  'expected boolean',
);

/** `POST /users/settings`. */
export const settingsBody = z.object({
  dm: z.object({
    only_from_friends: checkbox.meta({
      description: 'Whether only friends may write direct messages and add the account to groups and channels',
    }),
  }),
});
export type SettingsBody = z.infer<typeof settingsBody>;

/** `POST /users/channels`. The maximum length of the name is configurable, so the service checks it. */
export const channelBody = z.object({
  name: writtenName(Infinity).meta({
    description: `Not blank; at most ${defaultChatLimits.nameCharacters} characters unless configured otherwise`,
  }),
});
export type ChannelBody = z.infer<typeof channelBody>;

/** `POST /users/revoke-session`. */
export const revokeSessionBody = z.object({ id: identifier.meta({ description: 'The session to end' }) });
export type RevokeSessionBody = z.infer<typeof revokeSessionBody>;
