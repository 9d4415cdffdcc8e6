import { maxUnreadMessages } from '@waggle/contracts';
import { reactionsText } from '../devices/texts';
import { type Observation, type Values } from '../observation';
import { type StoredIndex } from './stored-index';
import { type Violation, type ViolationKind } from './violation';

type Texts = Record<string, string>;

/** Checks that devices show what they fetch, and fetch what is stored: counts, texts and reactions. */
export function checkDevices({ devices, values }: Observation, stored: StoredIndex): Violation[] {
  const reactions = reactionsByMessage(values);
  return devices.flatMap(({ account, shown, fetched }) => {
    const compare = (kind: ViolationKind, conversationId: string, texts: Texts, expected: Texts): Violation[] =>
      differingKeys(texts, expected).map((tag) => {
        const detail = `${texts[tag] ?? 'nothing'} instead of ${expected[tag] ?? 'nothing'}`;
        return { kind, observer: `the device of ${account}`, conversationId, tag, detail };
      });
    return [...new Set([...Object.keys(shown), ...Object.keys(fetched)])].flatMap((id) => {
      const { [id]: texts = {} } = fetched;
      const expected = { ...texts, ...countsOf(account, id, values, stored) };
      for (const key of Object.keys(texts)) {
        const [kind, messageId = ''] = key.split(' ');
        const edited = stored.byId(messageId)?.message.edits.at(-1);
        if (kind === 'text' && edited !== undefined) expected[key] = edited;
        if (kind === 'reactions') expected[key] = storedReactions(reactions.get(messageId), account);
      }
      return [
        ...compare('state-differs', id, shown[id] ?? {}, texts),
        ...compare('fetched-differs', id, texts, expected),
      ];
    });
  });
}

/** The keys whose texts differ. */
export function differingKeys(texts: Texts, others: Texts): string[] {
  const keys = new Set([...Object.keys(texts), ...Object.keys(others)]);
  return [...keys].filter((key) => texts[key] !== others[key]);
}

/** Counts what is unread for an account. */
function countsOf(account: string, conversationId: string, values: Values, stored: StoredIndex): Texts {
  const read = values[`read ${conversationId} ${account}`] ?? 0;
  const messages = stored.conversation(conversationId)?.messages ?? [];
  const unread = messages.filter(({ seq, sender, isDeleted }) => seq > read && sender !== account && !isDeleted);
  const mentions = messages.filter((message) =>
    message.mentions.some((mention) => mention.account === account && mention.seq > read),
  );
  return {
    unread: String(Math.min(unread.length, maxUnreadMessages)),
    mentions: String(Math.min(mentions.length, maxUnreadMessages)),
  };
}

/** The accounts that have reacted, by message and emoji. */
function reactionsByMessage(values: Values): Map<string, Map<string, string[]>> {
  const byMessage = new Map<string, Map<string, string[]>>();
  for (const key of Object.keys(values)) {
    const [kind, messageId = '', emoji = '', account = ''] = key.split(' ');
    if (kind !== 'reaction') continue;
    const byEmoji = byMessage.get(messageId) ?? new Map<string, string[]>();
    byMessage.set(messageId, byEmoji.set(emoji, [...(byEmoji.get(emoji) ?? []), account]));
  }
  return byMessage;
}

function storedReactions(byEmoji: ReadonlyMap<string, readonly string[]> = new Map(), account: string): string {
  return reactionsText(
    Array.from(byEmoji, ([emoji, accounts]) => ({ emoji, count: accounts.length, own: accounts.includes(account) })),
  );
}
