import { type SentMessage } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/** Checks that acknowledged messages are stored as acknowledged, and rejected ones are not stored. */
export function checkSent(sentMessages: readonly SentMessage[], stored: StoredIndex): Violation[] {
  return sentMessages.flatMap(({ tag, sender, conversationId, result }): Violation[] => {
    const found = stored.byTag(tag);
    const violation = (kind: ViolationKind, detail: string): Violation[] => [
      { kind, observer: sender, conversationId: conversationId ?? found?.conversation.id ?? 'new', tag, detail },
    ];
    switch (result.kind) {
      case 'pending':
        return violation('no-result', found === undefined ? 'not stored' : `stored at ${found.message.seq}`);
      case 'rejected':
        return found === undefined
          ? []
          : violation('rejected-but-stored', `rejected with ${result.code}, stored at ${found.message.seq}`);
      case 'unknown':
        return [];
      case 'acknowledged': {
        if (stored.lost(result.id) !== undefined) return [];
        const acknowledged = `acknowledged as ${JSON.stringify(result)}`;
        if (found === undefined) return violation('acknowledged-not-stored', acknowledged);
        const { message, conversation } = found;
        const isSame =
          result.id === message.id && result.conversationId === conversation.id && result.seq === message.seq;
        return isSame
          ? []
          : violation('acknowledgment-differs', `${acknowledged}, stored as ${JSON.stringify(message)}`);
      }
    }
  });
}
