import { createConversation } from './conversations';
import { type Pair, type Participant } from './jobs';
import { type ChatStack } from './stack';

const concurrentPairs = 8;

/** Returns the pairs, with their dms. @param urls the instances of the senders and of the receivers */
export async function pairsOfChat(stack: ChatStack, urls: { senders: string; receivers: string }): Promise<Pair[]> {
  const { pairs } = stack.accounts;
  // Logs in all, so that the pairs below find their sessions.
  await stack.sessions(pairs.flat());
  const remaining = pairs.map((pair, index) => ({ pair, index }));
  const created: Pair[] = [];
  const createSome = async (): Promise<void> => {
    for (let next = remaining.pop(); next !== undefined; next = remaining.pop()) {
      const [sender, receiver] = await stack.sessions(next.pair);
      if (sender === undefined || receiver === undefined) throw new Error('a pair without two accounts');
      const conversationId = await createConversation(urls.senders, sender, receiver.username);
      created[next.index] = {
        conversationId,
        to: receiver.username,
        sender: { url: urls.senders, token: sender.ws_token },
        receiver: { url: urls.receivers, token: receiver.ws_token },
      };
    }
  };
  await Promise.all(Array.from({ length: concurrentPairs }, createSome));
  return created;
}

/** Returns the pairs at a baseline, which accepts any conversation. */
export function pairsOfBaseline({ accounts }: ChatStack, url: string): Pair[] {
  return accounts.pairs.map(([sender, receiver], index) => ({
    conversationId: `dm-${index}`,
    to: receiver,
    sender: participantAt(url, sender),
    receiver: participantAt(url, receiver),
  }));
}

/** Returns a participant; the token of a baseline is the account name. */
export function participantAt(url: string, account: string): Participant {
  return { url, token: account };
}
