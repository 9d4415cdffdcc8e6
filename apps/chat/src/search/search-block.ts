import { groupBy } from '../portions';
import { type SearchedMessage, termsOfMessage } from './search-text';

/** Number of sequence numbers in a block: one for each bit of an `int4`. */
export const blockSeqs = 32;

/** What the index needs of a message. */
export interface IndexedMessage extends SearchedMessage {
  seq: number;
  sentAtMs: number;
}

/** A row of `search_block` apart from its conversation: see `SearchBlockEntity`. */
export interface SearchBlock {
  firstSeq: number;
  lastSeq: number;
  times: number[];
  terms: number[];
  messages: number[];
}

/** Returns the first sequence number of the block that contains one. */
export function firstSeqOf(seq: number): number {
  return seq - (seq % blockSeqs);
}

/** Builds blocks of messages of one conversation. @param messages in ascending order */
export function buildBlocks(messages: readonly IndexedMessage[]): SearchBlock[] {
  const byBlock = groupBy(messages, ({ seq }) => firstSeqOf(seq));
  return Array.from(byBlock, ([firstSeq, ofBlock]) => buildBlock(firstSeq, ofBlock));
}

function buildBlock(firstSeq: number, messages: readonly IndexedMessage[]): SearchBlock {
  const bitsByTerm = new Map<number, number>();
  const times: number[] = [];
  for (const message of messages) {
    const { seq, sentAtMs } = message;
    const bit = seq - firstSeq;
    // A number without a message gets the time of the message before it, or of the first one in the block.
    const fillTime = times.at(-1) ?? sentAtMs;
    while (times.length < bit) times.push(fillTime);
    times.push(sentAtMs);
    for (const term of termsOfMessage(message)) {
      const hash = hashOf(term);
      bitsByTerm.set(hash, (bitsByTerm.get(hash) ?? 0) | (1 << bit));
    }
  }
  const last = messages.at(-1);
  while (times.length < blockSeqs) times.push(last?.sentAtMs ?? 0);
  const sorted = [...bitsByTerm].toSorted(([a], [b]) => a - b);
  return {
    firstSeq,
    lastSeq: last?.seq ?? firstSeq,
    times,
    terms: sorted.map(([hash]) => hash),
    messages: sorted.map(([, bits]) => bits),
  };
}

/**
 * Returns an `int4` for a term. Two terms may have the same one, so a search also compares the text. A change of this
 * function or of `termsOfMessage` needs a migration that empties the index.
 */
export function hashOf(term: string): number {
  // FNV-1a.
  let hash = 0x811c9dc5;
  for (let i = 0; i < term.length; i += 1) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash | 0;
}
