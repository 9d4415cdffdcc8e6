import { newIdentifier } from '@waggle/service';
import { type Entry } from '../streams/entry';
import { type PlacelessMessage } from './append-messages';
import { type Judgement, type Refusal } from './judge-messages';

/** A message that wants its place in a conversation. */
export interface NewMessage {
  id: string;
  conversationId: string;
  sender: string;
  content: string;
  /** The client's own mark, by which a repeat is known. */
  clientId: string | null;
}

/** What became of a `NewMessage`: its entries, those that go ahead of it included; `repeated` where it was stored before. */
export type Stored =
  { outcome: 'written' | 'repeated'; entries: Entry[] } | { outcome: Refusal } | { outcome: 'failed'; error: unknown };

/** What became of a message among others; `arrives` where it brings somebody in and is not stored yet. */
export type Written = Stored | { outcome: 'arrives' };

/** What is known of a writer who may write. */
export type Known = Pick<Extract<Judgement, { outcome: 'may' | 'arrives' }>, 'seq' | 'recipient'>;

/** Gives a message its identifier: made here, so that nothing depends on the order in which rows come back. */
export function newMessage(sender: string, message: Omit<NewMessage, 'id' | 'sender'>): NewMessage {
  return { id: newIdentifier(), sender, ...message };
}

export function toPlaceless(message: NewMessage, { seq, recipient }: Known): PlacelessMessage {
  const { id, conversationId, sender, content, clientId } = message;
  return { id, conversationId, sender, recipient, content, clientId, judgedSeq: seq };
}
