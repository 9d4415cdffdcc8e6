import { type Known } from '../index-state/known';

/** What was read to answer a question. */
export interface Read {
  readonly known: Known;
  /** JSON as it is sent: amounts are exact beyond what JSON.stringify can write. */
  readonly body: string;
  /** The value of the `Link` header. */
  readonly links?: string | undefined;
}

/** The pages of a file, all as of one block. */
export interface Export {
  readonly known: Known;
  readonly pages: AsyncIterable<string>;
}

/** A question, not yet asked: whoever holds the answer already costs no reading. */
export interface Reading {
  /** The resource and its parameters after their schema. */
  readonly question: string;
  readonly read: () => Promise<Read>;
  /** Begins to read the whole list; undefined where there is no CSV. */
  readonly export?: (() => Promise<Export>) | undefined;
}
