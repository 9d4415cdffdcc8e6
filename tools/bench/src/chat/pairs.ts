import { seatAt } from './baselines';
import { createConversation } from './conversations';
import { type Pair } from './jobs';
import { type ChatStack } from './stack';

/** How many dms are made at once. */
const atOnce = 8;

/**
 * The pairs with their dms, which are made where they are not there.
 *
 * @param urls the instances of the senders and of the receivers
 */
export async function pairsOfChat(stack: ChatStack, urls: { senders: string; receivers: string }): Promise<Pair[]> {
  const { pairs } = stack.accounts;
  await stack.sessions(pairs.flat());
  const waiting = pairs.map((pair, index) => ({ pair, index }));
  const made: Pair[] = [];
  const makeSome = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [sender, receiver] = await stack.sessions(next.pair);
      if (sender === undefined || receiver === undefined) throw new Error('a pair of fewer than two');
      const conversationId = await createConversation(urls.senders, sender, receiver.username);
      made[next.index] = {
        conversationId,
        to: receiver.username,
        sender: { url: urls.senders, token: sender.ws_token },
        receiver: { url: urls.receivers, token: receiver.ws_token },
      };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, makeSome));
  return made;
}

/** The same pairs at a baseline, where a conversation needs no making. */
export function pairsOfBaseline({ accounts }: ChatStack, url: string): Pair[] {
  return accounts.pairs.map(([sender, receiver], index) => ({
    conversationId: `dm-${index}`,
    to: receiver,
    sender: seatAt(url, sender),
    receiver: seatAt(url, receiver),
  }));
}
