/** A position in the events of an index: everything up to this notification was delivered. */
export interface EventPosition {
  /** The beginning of the id of the index. */
  readonly index: string;
  /** The id of a notification, or a number between two such ids. */
  readonly id: bigint;
}

/** Enough to distinguish indexes, in hexadecimal digits. */
const indexLength = 8;

export function indexNameOf(indexId: string): string {
  return indexId.slice(0, indexLength);
}

/** Writes the id of an event; a client can resume from it. */
export function formatEventId({ index, id }: EventPosition): string {
  return `${index}-${id}`;
}

/** A position in no index, for ids that are not ours. */
const nowhere: EventPosition = { index: '', id: 0n };

export function parseEventId(text: string): EventPosition {
  const [, index, id] = /^([0-9a-f]{8})-(\d{1,18})$/.exec(text) ?? [];
  return index === undefined || id === undefined ? nowhere : { index, id: BigInt(id) };
}
