import { type Sending } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

/** What senders were told: whatever was acknowledged is stored as they were told, whatever was refused is not. */
export function checkSendings(sendings: readonly Sending[], stored: StoredIndex): Violation[] {
  return sendings.flatMap(({ mark, sender, conversationId, outcome }): Violation[] => {
    const found = stored.byMark(mark);
    const violation = (kind: ViolationKind, detail: string): Violation[] => [
      { kind, who: sender, conversationId: conversationId ?? found?.conversation.id ?? 'new', mark, detail },
    ];
    switch (outcome.kind) {
      case 'waiting':
        return violation('unanswered', found === undefined ? 'not stored' : `stored at ${found.message.seq}`);
      case 'refused':
        return found === undefined
          ? []
          : violation('refused-and-stored', `refused with ${outcome.code}, stored at ${found.message.seq}`);
      case 'unknown':
        return [];
      case 'acknowledged': {
        if (stored.lost(outcome.id) !== undefined) return [];
        if (found === undefined) return violation('acknowledged-not-stored', `told ${JSON.stringify(outcome)}`);
        const { message, conversation } = found;
        const isSame =
          outcome.id === message.id && outcome.conversationId === conversation.id && outcome.seq === message.seq;
        return isSame
          ? []
          : violation('acknowledged-otherwise', `told ${JSON.stringify(outcome)}, stored ${JSON.stringify(message)}`);
      }
    }
  });
}
