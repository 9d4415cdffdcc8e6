import { type IndexPosition } from '../index-state/index-position';

/** The data of a response. */
export interface ResponseData {
  readonly position: IndexPosition;
  /** Serialized JSON, since amounts are more exact than JSON.stringify can write. */
  readonly body: string;
  /** The value of the `Link` header. */
  readonly links?: string | undefined;
}

/** The pages of a file, all as of one block. */
export interface Export {
  readonly position: IndexPosition;
  readonly pages: AsyncIterable<string>;
}

/** A response whose data is read only if the client's ETag no longer matches. */
export interface DeferredResponse {
  /** The resource and its validated parameters. */
  readonly cacheKey: string;
  readonly read: () => Promise<ResponseData>;
  /** Whether `read` may be slow because it is as of an earlier block, so that only a few run for each address. */
  readonly isOfPast?: boolean;
  /** Begins to read the whole list; undefined if it has no CSV form. */
  readonly export?: (() => Promise<Export>) | undefined;
}
