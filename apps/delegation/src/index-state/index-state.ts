/** The progress of the index: see `IndexStateEntity`. Blocks are block numbers. */
export interface IndexState {
  readonly syncedBlock: number;
  readonly syncedTime: Date | null;
  readonly irreversibleBlock: number;
  readonly loadedFrom: number;
  readonly loadedTo: number;
  readonly returnsLoadedTo: number;
  readonly historyFrom: number;
  readonly asOfFrom: number;
  readonly backfillFrom: number | null;
  readonly nextDelegationId: number;
}

/** The follower that reads earlier history: the name of its checkpoint and lock, and its label in metrics. */
export const backfillFollowerName = 'delegation-backfill';
