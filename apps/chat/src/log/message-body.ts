import { type Quote, type RichFields } from '@waggle/contracts';
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
 * The text of a message, what it replies to, and its last edit. Statements take its columns from here. To add a field,
 * extend this file, `MessageEntity`, a migration, the frame and the contract.
 */
export interface MessageBody {
  content: string;
  repliedTo?: RepliedTo | undefined;
  /** Of an edited message. The time is in ISO 8601. */
  edit?: { revision: number; at: string } | undefined;
}

/** The columns of `message` that hold the body, and SQL for them. */
export const body = {
  columns: {
    content: messageTable.content,
    reply_to_seq: messageTable.replyToSeq,
    revision: messageTable.revision,
    edited_at: messageTable.editedAt,
  },
  /** The types of the columns in rows that may lack a message. */
  nullableColumns: {
    content: sql.nullable(messageTable.content),
    reply_to_seq: messageTable.replyToSeq,
    revision: messageTable.revision,
    edited_at: messageTable.editedAt,
  },
  /** The columns that are null only in rows that lack a message. */
  requiredColumns: ['content'],
  /** SQL that selects the columns from a table or alias. */
  selectFrom: (table: string) => `${table}.content, ${table}.reply_to_seq, ${table}.revision, ${table}.edited_at`,
  /** SQL for a row that lacks a message. */
  selectNull: 'NULL AS content, NULL::bigint AS reply_to_seq, NULL::int AS revision, NULL::timestamptz AS edited_at',
  /** SQL for a text as long as the body, for limits on sizes; null if the row lacks a message. */
  textFrom: (table: string) => `${table}.content`,
} as const;

/** The columns of the body that a new message has. To insert several, each parameter is an array. */
export const newBody = {
  names: 'content, reply_to_seq',
  selectFrom: (table: string) => `${table}.content, ${table}.reply_to_seq`,
  parameters: { content: messageTable.content, replyToSeq: messageTable.replyToSeq },
  /** SQL for parameters of these columns, from `$first` on. */
  placeholders: (first: number) => `$${first}, $${first + 1}`,
  values: ({ content, repliedTo }: MessageBody) => ({ content, replyToSeq: repliedTo?.seq ?? null }),
  arrays: {
    parameters: { contents: sql.arrayOf(messageTable.content), replyToSeqs: sql.arrayOf(messageTable.replyToSeq) },
    placeholders: (first: number) => `$${first}::text[], $${first + 1}::bigint[]`,
    values: (bodies: readonly MessageBody[]) => ({
      contents: bodies.map(({ content }) => content),
      replyToSeqs: bodies.map(({ repliedTo }) => repliedTo?.seq ?? null),
    }),
  },
} as const;

/** Returns the body in a row. Quotes are not read. */
export function toBody({ content, reply_to_seq, revision, edited_at }: RowOf<typeof body.columns>): MessageBody {
  return {
    content,
    ...(reply_to_seq !== null && { repliedTo: { seq: Number(reply_to_seq) } }),
    ...(revision !== null && edited_at !== null && { edit: { revision, at: edited_at.toISOString() } }),
  };
}

/** Returns only the body of an entry or a new message. */
export function pickBody({ content, repliedTo, edit }: MessageBody): MessageBody {
  return { content, ...(repliedTo !== undefined && { repliedTo }), ...(edit !== undefined && { edit }) };
}

/**
 * Returns what clients receive of the body, besides its text, with the capability `rich` or `extended=true`; undefined
 * if nothing.
 */
export function toRichFields({ repliedTo, edit }: MessageBody): RichFields | undefined {
  const quote = repliedTo?.quote;
  if (quote === undefined && edit === undefined) return undefined;
  return {
    ...(quote !== undefined && { reply_to: quote }),
    ...(edit !== undefined && { revision: edit.revision, edited_at: edit.at }),
  };
}

/**
 * Whether a message may be a repetition of the stored one with its idempotency key. The first text of an edited message
 * is not compared.
 */
export function mayRepeat(message: MessageBody, stored: MessageBody): boolean {
  const hasSameText = stored.edit !== undefined || message.content === stored.content;
  // Retention may have removed the message that both reply to.
  return hasSameText && (message.repliedTo === undefined || message.repliedTo.seq === stored.repliedTo?.seq);
}

/** Returns whether an object that another instance published has a body. */
export function isMessageBody({ content, repliedTo, edit }: Record<string, unknown>): boolean {
  return typeof content === 'string' && isAbsentOrObject(repliedTo) && isAbsentOrObject(edit);
}

function isAbsentOrObject(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null);
}
