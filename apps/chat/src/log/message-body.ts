import { sql } from '@waggle/service';
import { messageTable } from './message.entity';

/**
 * The body is what the sender wrote: today only `content`. Statements take its columns from here. To add a field,
 * extend this file, `MessageEntity`, a migration, the frame and the contract.
 */
export interface MessageBody {
  content: string;
}

/** The columns of `message` that hold the body, and SQL for them. */
export const body = {
  columns: { content: messageTable.content },
  /** The types of the columns in rows that may lack a message. */
  nullableColumns: { content: sql.nullable(messageTable.content) },
  /** The columns that are null only in rows that lack a message. */
  requiredColumns: ['content'],
  /** SQL for the names of the columns. */
  names: 'content',
  /** SQL that selects the columns from a table or alias. */
  selectFrom: (table: string) => `${table}.content`,
  /** SQL for a row that lacks a message. */
  selectNull: 'NULL AS content',
  /** SQL for a text as long as the body, for limits on sizes; null if the row lacks a message. */
  textFrom: (table: string) => `${table}.content`,
  /** SQL for parameters of these columns, from `$first` on. */
  placeholders: (first: number) => `$${first}`,

  /** To insert several messages, a parameter for each column is the array of its values. */
  arrays: {
    parameters: { contents: sql.arrayOf(messageTable.content) },
    placeholders: (first: number) => `$${first}::text[]`,
    values: (bodies: readonly MessageBody[]) => ({ contents: bodies.map(({ content }) => content) }),
  },
} as const;

/** Returns only the body of a row, an entry or a new message. */
export function pickBody({ content }: MessageBody): MessageBody {
  return { content };
}

export function isSameBody(one: MessageBody, other: MessageBody): boolean {
  return one.content === other.content;
}

/** Returns whether an object that another instance published has a body. */
export function isMessageBody({ content }: Record<string, unknown>): boolean {
  return typeof content === 'string';
}
