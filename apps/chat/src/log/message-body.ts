import { sql } from '@waggle/service';
import { messageTable } from './message.entity';

/*
 * What the sender of a message wrote. Every statement that reads messages, and everything that is made of them, takes
 * it from here, so that a new field is added to the statements in this file only. It also needs the entity, a
 * migration, the frame and the contract.
 */

/** The columns of `message` that hold the body. */
export const bodyColumns = { content: messageTable.content };
/** The same in rows that may be without a message. */
export const nullableBodyColumns = { content: sql.nullable(messageTable.content) };

/** The body as a row, an entry or a new message has it. */
export interface MessageBody {
  content: string;
}

/** The columns that are null only in rows without a message. */
export const requiredBodyColumns = ['content'] as const;

/** SQL for the names of the columns. */
export const bodyList = 'content';
/** SQL for the parameters of a statement that inserts a message: `bodyColumns`, from `$first` on. */
export const bodyParameters = (first: number) => `$${first}`;
/** Returns the values of `bodyColumns`. */
export function toBodyParameters({ content }: MessageBody) {
  return { content };
}

/** The parameters of a statement that inserts several messages, and SQL for them. */
export const bodyArrays = { contents: sql.arrayOf(messageTable.content) };
export const bodyArrayParameters = (first: number) => `$${first}::text[]`;

/** Returns the values of `bodyArrays`. */
export function toBodyArrays(bodies: readonly MessageBody[]) {
  return { contents: bodies.map(({ content }) => content) };
}

/** SQL for the columns of a table or alias. */
export const selectBody = (from: string) => `${from}.content`;
/** SQL for rows without a message. */
export const selectNoBody = 'NULL AS content';
/** SQL for a text that is as long as the body, for limits on sizes; null without a message. */
export const bodyText = (from: string) => `${from}.content`;

/** Returns the body that a row, an entry or a new message has. */
export function toBody({ content }: MessageBody): MessageBody {
  return { content };
}

/** Returns whether two messages say the same. */
export function isSameBody(one: MessageBody, other: MessageBody): boolean {
  return one.content === other.content;
}

/** Returns whether what another instance publishes has a body. */
export function hasBody({ content }: Record<string, unknown>): boolean {
  return typeof content === 'string';
}
