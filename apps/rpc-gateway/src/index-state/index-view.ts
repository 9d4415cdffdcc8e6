/** What the database says about the index. */
export interface IndexContents {
  /** Changes when the index is replaced by another, by a reindex or an import. */
  readonly indexId: string;
  /** 1 if the index contains the effects of the whole chain. */
  readonly firstBlock: number;
  /** The time of the block before the first one, or of block 1 itself. */
  readonly begins: Date;
  /** The time from which on no notification is missing. */
  readonly notificationsFrom: Date;
  /** Whether it has the contents and payouts of all posts since it begins. */
  readonly hasPosts: boolean;
  /** Whether no vote was deleted when its post was paid. */
  readonly hasVotes: boolean;
  /** Whether unpaid posts are ranked. */
  readonly hasRankings: boolean;
  /** The last block that was applied. */
  readonly block: number;
  readonly blockTime: Date;
}

/** The distance of the index from the last irreversible block that a node reported. */
interface IndexLag {
  readonly blocks: number;
  /** The duration of these blocks. If no node responds, it includes the time since the last report. */
  readonly seconds: number;
}

/** The index as the API knows it at a moment. */
export interface IndexView {
  /** `not-started`: no block was applied. `unreadable`: the database is unavailable, or the tables are missing. */
  readonly contents: IndexContents | 'not-started' | 'unreadable';
  /** The lag of the index; undefined if no node reported its head, or the index has no contents. */
  readonly lag: IndexLag | undefined;
  /** `INDEX_MAX_LAG_SECONDS` */
  readonly maxLagSeconds: number;
}
