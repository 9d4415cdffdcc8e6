import { isDeepStrictEqual } from 'node:util';
import { type Attachment, type Mention, type Quote, type RichFields } from '@waggle/contracts';
import { type RowOf, sql } from '@waggle/service';
import { messageTable } from './message.entity';

/** The message that another one replies to. */
export interface RepliedTo {
  /** Its sequence number. */
  seq: number;
  /** Undefined if it was not read (see `addQuotes`), or retention has removed it. */
  quote?: Quote | undefined;
}

/**
 * The text of a message, what it replies to, its last edit, its files and its mentions. Statements take its columns
 * from here. To add a field, extend this file, `MessageEntity`, a migration, the frame and the contract.
 */
export interface MessageBody {
  content: string;
  repliedTo?: RepliedTo | undefined;
  /** Of an edited message. The time is in ISO 8601. */
  edit?: { revision: number; at: string } | undefined;
  attachments?: readonly Attachment[] | undefined;
  mentions?: readonly Mention[] | undefined;
}

const columns = {
  content: messageTable.content,
  reply_to_seq: messageTable.replyToSeq,
  revision: messageTable.revision,
  edited_at: messageTable.editedAt,
  attachments: messageTable.attachments,
  mentions: messageTable.mentions,
};

/** The columns of `message` that hold the body, and SQL for them. */
export const body = {
  columns,
  /** The types of the columns in rows that may lack a message. */
  nullableColumns: { ...columns, content: sql.nullable(columns.content) },
  /** The columns that are null only in rows that lack a message. */
  requiredColumns: ['content'],
  /** SQL that selects the columns from a table or alias. */
  selectFrom: (table: string) =>
    `${table}.content, ${table}.reply_to_seq, ${table}.revision, ${table}.edited_at, ${table}.attachments,
     ${table}.mentions`,
  /** SQL for a row that lacks a message. */
  selectNull: `NULL AS content, NULL::bigint AS reply_to_seq, NULL::int AS revision, NULL::timestamptz AS edited_at,
    NULL::jsonb AS attachments, NULL::jsonb AS mentions`,
  /** SQL for a text as long as the body, for limits on sizes; null if the row lacks a message. */
  textFrom: (table: string) => `${table}.content || concat(${table}.attachments, ${table}.mentions)`,
} as const;

/** The columns of the body that a new message has. To insert several, each parameter is an array. */
export const newBody = {
  names: 'content, reply_to_seq, attachments, mentions',
  columnCount: 4,
  selectFrom: (table: string) => `${table}.content, ${table}.reply_to_seq, ${table}.attachments, ${table}.mentions`,
  parameters: {
    content: messageTable.content,
    replyToSeq: messageTable.replyToSeq,
    attachments: messageTable.attachments,
    mentions: messageTable.mentions,
  },
  /** SQL for parameters of these columns, from `$first` on. */
  placeholders: (first: number) => `$${first}, $${first + 1}, $${first + 2}, $${first + 3}`,
  values: ({ content, repliedTo, attachments, mentions }: MessageBody) => ({
    content,
    replyToSeq: repliedTo?.seq ?? null,
    attachments: toJson(attachments),
    mentions: toJson(mentions),
  }),
  arrays: {
    parameters: {
      contents: sql.arrayOf(messageTable.content),
      replyToSeqs: sql.arrayOf(messageTable.replyToSeq),
      attachments: sql.arrayOf(messageTable.attachments),
      mentions: sql.arrayOf(messageTable.mentions),
    },
    placeholders: (first: number) =>
      `$${first}::text[], $${first + 1}::bigint[], $${first + 2}::jsonb[], $${first + 3}::jsonb[]`,
    values: (bodies: readonly MessageBody[]) => ({
      contents: bodies.map(({ content }) => content),
      replyToSeqs: bodies.map(({ repliedTo }) => repliedTo?.seq ?? null),
      attachments: bodies.map(({ attachments }) => toJson(attachments)),
      mentions: bodies.map(({ mentions }) => toJson(mentions)),
    }),
  },
} as const;

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Returns the body in a row. Quotes are not read. */
export function toBody(row: RowOf<typeof body.columns>): MessageBody {
  const { content, reply_to_seq, revision, edited_at, attachments, mentions } = row;
  return {
    content,
    ...(reply_to_seq !== null && { repliedTo: { seq: Number(reply_to_seq) } }),
    ...(revision !== null && edited_at !== null && { edit: { revision, at: edited_at.toISOString() } }),
    ...(attachments !== null && { attachments }),
    ...(mentions !== null && { mentions }),
  };
}

/** Returns only the body of an entry or a new message. */
export function pickBody({ content, repliedTo, edit, attachments, mentions }: MessageBody): MessageBody {
  return {
    content,
    ...(repliedTo !== undefined && { repliedTo }),
    ...(edit !== undefined && { edit }),
    ...(attachments !== undefined && { attachments }),
    ...(mentions !== undefined && { mentions }),
  };
}

/**
 * Returns what clients receive of the body, besides its text, with the capability `rich` or `extended=true`; undefined
 * if nothing.
 */
export function toRichFields({ repliedTo, edit, attachments, mentions }: MessageBody): RichFields | undefined {
  const quote = repliedTo?.quote;
  if ([quote, edit, attachments, mentions].every((field) => field === undefined)) return undefined;
  return {
    ...(quote !== undefined && { reply_to: quote }),
    ...(edit !== undefined && { revision: edit.revision, edited_at: edit.at }),
    ...(attachments !== undefined && { attachments: [...attachments] }),
    ...(mentions !== undefined && { mentions: [...mentions] }),
  };
}

/**
 * Whether a message may be a repetition of the stored one with its idempotency key. The first text of an edited message
 * is not compared.
 */
export function mayRepeat(message: MessageBody, stored: MessageBody): boolean {
  const hasSameText = stored.edit !== undefined || message.content === stored.content;
  const hasSameFiles = isDeepStrictEqual(message.attachments, stored.attachments);
  // Retention may have removed the message that both reply to.
  return (
    hasSameText && hasSameFiles && (message.repliedTo === undefined || message.repliedTo.seq === stored.repliedTo?.seq)
  );
}

/** Returns whether an object that another instance published has a body. */
export function isMessageBody({ content, repliedTo, edit, attachments, mentions }: Record<string, unknown>): boolean {
  return typeof content === 'string' && [repliedTo, edit, attachments, mentions].every(isAbsentOrObject);
}

function isAbsentOrObject(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null);
}
