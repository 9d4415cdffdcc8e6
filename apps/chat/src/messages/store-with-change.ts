import { type Conversation } from '@waggle/contracts';
import { type ClientBase } from 'pg';
import { appendChangeAt, nextSeq } from '../log/append-changes';
import { appendMessages } from '../log/append-messages';
import { type ChangeEntry } from '../log/entry';
import { findRepeated } from '../log/repeated-messages';
import { LockedConversation } from '../membership/locked-conversation';
import { authorizeMessage } from './authorize-messages';
import { type NewMessage } from './new-message';
import { type SendResult } from './send-result';

/**
 * Stores a message that also changes its conversation (`WritePermission.changesConversation`): its sender joins the channel, or a dm that
 * an account has left is shown again. The entry of that change precedes the entry of the message.
 */
export async function storeWithChange(client: ClientBase, message: NewMessage): Promise<SendResult> {
  const { conversationId, sender } = message;
  const conversation = await LockedConversation.lock(client, conversationId, []);
  if (conversation === undefined) return { outcome: 'not-found' };
  // Checked under the lock, since another instance may have received it as well.
  const repeated = (await findRepeated(client, [message])).get(message);
  if (repeated !== undefined) return { outcome: 'repeated', entries: [repeated] };
  const permission = await authorizeMessage(client, message);
  if (typeof permission === 'string') return { outcome: permission };
  const append = async () => {
    const [entry] = await appendMessages(client, [
      { ...message, recipient: permission.recipient, authorizedSeq: Number.MAX_SAFE_INTEGER },
    ]);
    if (entry === undefined) throw new Error('a locked conversation was changed');
    return entry;
  };
  // An earlier message has made this change already.
  if (!permission.changesConversation) return { outcome: 'stored', entries: [await append()] };

  const change = conversation.type === 'channel' ? addSender : showToBoth;
  const describe = await change(conversation, sender);
  const seq = await nextSeq(client, conversationId);
  const entry = await append();
  // Read with the message, for the event.
  const described = describe(await conversation.read(sender));
  const newChange = { stream: conversationId, seq, leaves: [], subscriptions: [], ...described };
  return { outcome: 'stored', entries: [...(await appendChangeAt(client, newChange)), entry] };
}

/** Returns the change for the conversation as it is after the change. */
type Describe = (conversation: Conversation) => Pick<ChangeEntry, 'events' | 'joins'>;

async function addSender(conversation: LockedConversation, sender: string): Promise<Describe> {
  const isNew = await conversation.add(sender);
  const payload = { conversation_id: conversation.id, username: sender };
  return (joined) => ({
    joins: isNew ? [sender] : [],
    events: [
      { type: 'conversation-created', payload: joined, to: [sender] },
      { type: 'member-added', payload, to: {} },
    ],
  });
}

async function showToBoth(conversation: LockedConversation): Promise<Describe> {
  const accounts = await conversation.show();
  return (shown) => ({ joins: [], events: [{ type: 'conversation-created', payload: shown, to: accounts }] });
}
