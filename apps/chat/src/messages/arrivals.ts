import { type Conversation } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { LockedConversation } from '../membership/locked-conversation';
import { type ChangeEntry } from '../streams/entry';
import { storeEntries, takePlace } from '../streams/streams.store';
import { appendMessages } from './append-messages';
import { judgeMessages } from './judge-messages';
import { toPlaceless, type NewMessage, type Stored } from './new-message';
import { findRepeats } from './repeats';

/**
 * Writes a message that brings somebody in: the writer joins a channel, or whoever had left the dm finds it again. That is
 * told ahead of the message.
 */
export async function arrive(client: ClientBase, message: NewMessage): Promise<Stored> {
  const conversation = await LockedConversation.lock(client, message.conversationId, []);
  if (conversation === undefined) return { outcome: 'not-found' };
  // Under the lock: another instance may have been sent it as well.
  const [[, repeated] = []] = await findRepeats(client, [message]);
  if (repeated !== undefined) return repeated;
  const [judgement] = await judgeMessages(client, [message]);
  if (judgement === undefined || !('seq' in judgement)) return judgement ?? { outcome: 'not-found' };
  const append = async () => {
    const [entry] = await appendMessages(client, [
      toPlaceless(message, { ...judgement, seq: Number.MAX_SAFE_INTEGER }),
    ]);
    if (entry === undefined) throw new Error('a locked conversation that was changed');
    return entry;
  };
  // Somebody else's message has brought them in meanwhile.
  if (judgement.outcome === 'may') return { outcome: 'written', entries: [await append()] };

  const bringIn = conversation.type === 'channel' ? joins : returns;
  const tell = await bringIn(conversation, message.sender);
  const seq = await takePlace(client, conversation.id);
  const entry = await append();
  // Told as it is with the message.
  const arrival = { stream: conversation.id, seq, leaves: [], ...tell(await conversation.read(message.sender)) };
  await storeEntries(client, [arrival]);
  return { outcome: 'written', entries: [arrival, entry] };
}

/** What is told of an arrival, once the conversation is as it will be. */
type Tell = (conversation: Conversation) => Pick<ChangeEntry, 'told' | 'joins'>;

async function joins(conversation: LockedConversation, sender: string): Promise<Tell> {
  const isNew = await conversation.add(sender);
  const payload = { conversation_id: conversation.id, username: sender };
  return (joined) => ({
    joins: isNew ? [sender] : [],
    told: [
      { type: 'conversation-created', payload: joined, to: [sender] },
      { type: 'member-added', payload, to: {} },
    ],
  });
}

async function returns(conversation: LockedConversation): Promise<Tell> {
  const accounts = await conversation.show();
  return (shown) => ({ joins: [], told: [{ type: 'conversation-created', payload: shown, to: accounts }] });
}
