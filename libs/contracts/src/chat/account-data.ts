import { z } from 'zod';
import { accountName } from '../account-name';
import { attachment } from './attachments';
import { conversation, conversationChange, mention, preferences, sessionInfo, settings } from './resources';
import { loginQuery } from './requests';
import { identifier, timestamp } from './values';

const cursor = z.string().meta({ description: 'As `after` it continues the export behind this line' });
const seq = z.int().min(0).meta({ description: 'Sequence number in the stream of the conversation' });
const ofMessage = { conversation_id: identifier, seq: seq.meta({ description: 'Sequence number of the message' }) };

/** A kind of line, which has a type, fields and a cursor. */
const line = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape, cursor });

/** A line of `GET /users/export`. The response is NDJSON: each line is such an object. */
export const exportLine = z
  .discriminatedUnion('type', [
    line('account', { username: accountName, exported_at: timestamp }),
    line('settings', settings.shape),
    line('session', {
      id: identifier,
      browser: sessionInfo.shape.browser,
      ip: sessionInfo.shape.ip,
      created_at: timestamp,
      renewed_at: timestamp,
      expires_at: timestamp,
      revoked_at: timestamp.nullable().meta({ description: 'When it was ended; null if it was not' }),
    }),
    line('friend', { username: accountName, since: timestamp }),
    line('blocked', {
      username: accountName.meta({ description: 'An account that the caller blocks' }),
      since: timestamp,
    }),
    line('friend-request', { id: identifier, from: accountName, to: accountName, timestamp }),
    line('conversation', {
      id: identifier,
      conversation_type: conversation.shape.type,
      name: z.string().nullable().meta({ description: 'Null also for a group that the caller has left' }),
      creator: accountName.nullable().meta({ description: 'Null for a group that the caller has left' }),
      with: accountName.nullable().meta({ description: 'The other account of a dm' }),
      status: z.string().meta({
        description: 'Of the caller: `member`, `reader` of a channel, `left` or `banned`',
      }),
      moderator: z.boolean().meta({ description: 'Whether the caller was appointed a moderator' }),
      hidden: z.boolean().meta({ description: 'Whether the caller has left the dm, until its next message' }),
      followed_at: timestamp.nullable().meta({ description: 'Since when the caller follows the channel' }),
      left_at: timestamp.nullable(),
      read_seq: seq.meta({ description: 'The caller has acknowledged everything up to it' }),
      receipt_seq: seq.meta({ description: 'How far others see that the caller has read' }),
      read_at: timestamp.nullable().meta({ description: 'When the caller last acknowledged it' }),
      ...preferences,
      draft: z
        .object({ text: z.string(), reply_to_seq: seq.nullable(), updated_at: timestamp })
        .nullable()
        .meta({ description: 'What the caller has written, but not sent' }),
    }),
    line('message', {
      conversation_id: identifier,
      seq,
      id: identifier,
      to: accountName.nullable(),
      content: z.string(),
      timestamp,
      client_id: z.string().nullable(),
      reply_to_seq: seq.nullable().meta({ description: 'Sequence number of the message that it replies to' }),
      revision: z.int().nullable().meta({ description: 'Of an edited message: how often it was edited' }),
      edited_at: timestamp.nullable(),
      attachments: z.array(attachment).nullable(),
      mentions: z.array(mention).nullable(),
      deleted_at: timestamp.nullable().meta({ description: 'Of a deleted message whose text is still stored' }),
    }),
    line('revision', {
      ...ofMessage,
      revision: z.int().min(0).meta({ description: '0 is the first text' }),
      content: z.string(),
      timestamp,
    }),
    line('reaction', { ...ofMessage, emoji: z.string(), timestamp }),
    line('pin', { ...ofMessage, timestamp }),
    line('mention', { ...ofMessage, by: accountName, timestamp }),
    line('change', {
      conversation_id: identifier,
      seq,
      change: z.string().meta({ description: 'As `type` of `/messages/changes`' }),
      by: accountName,
      username: conversationChange.shape.username,
      name: conversationChange.shape.name,
      timestamp,
    }),
    line('progress', {}).meta({ description: 'Nothing was found for a while' }),
    z.object({ type: z.literal('end') }).meta({ description: 'The last line: the export is complete' }),
    z
      .object({ type: z.literal('error'), code: z.string(), message: z.string() })
      .meta({ description: 'The last line: the export is not complete' }),
  ])
  .meta({ id: 'ExportLine', description: 'A line of an export' });
export type ExportLine = z.infer<typeof exportLine>;

/** `GET /users/export`. */
export const exportQuery = z.object({
  after: z
    .string()
    .regex(/^[\w-]{1,512}$/, 'not a cursor')
    .optional()
    .meta({ description: 'The `cursor` of the last line that was received, to continue an export' }),
});
export type ExportQuery = z.infer<typeof exportQuery>;

/**
 * The text that an account signs to erase its data. A log-in signs the name and the time, so neither signature can be
 * used for the other purpose: no name has a space.
 */
export function erasureText(username: string, ts: string): string {
  return `erase all chat data of ${username} at ${ts}`;
}

/** `POST /users/erase`. */
export const erasureBody = z.object({
  ts: loginQuery.shape.ts,
  sig: loginQuery.shape.sig.meta({
    description: '65 bytes in hex, as for a log-in, over sha256 of `erase all chat data of <username> at <ts>`',
  }),
});
export type ErasureBody = z.infer<typeof erasureBody>;

/** Response of `POST /users/erase`. */
export const erasure = z.object({ requested_at: timestamp }).meta({
  id: 'Erasure',
  description: 'An erasure that has begun',
  examples: [{ requested_at: '2026-01-31T12:00:00.000Z' }],
});
export type Erasure = z.infer<typeof erasure>;

/** Takes the place of an erased account: the account of Hive that has no keys, so that it cannot log in. */
export const erasedAccount = 'null';
