import { createdChannel } from '@waggle/contracts';
import { mustBeRejected, type RuleAttack } from './attack';
import { ChatUser } from '../target/chat-user';
import { type Target } from '../target/target';

export const unwantedConversations: RuleAttack = {
  kind: 'rule',
  name: 'low-8',
  summary: 'adds users that accept messages from friends only, or that have left, to conversations',
  services: ['chat'],
  attempt: async (target) => {
    const stranger = await ChatUser.start(target);
    const reserved = await ChatUser.start(target);
    await reserved.send('/users/settings', { method: 'POST', body: '{"dm":{"only_from_friends":true}}' });
    const group = await stranger.may('create-conversation', { to: [reserved.account], message: 'hello' });
    const channel = await createChannel(stranger);
    const added = await stranger.may('add-member', { conversation_id: channel, username: reserved.account });
    const addedAgain = await addAfterLeaving(target, stranger);
    await Promise.all([stranger.close(), reserved.close()]);
    return [
      mustBeRejected('group of two with a user that accepts messages from friends only', group),
      mustBeRejected("adding such a user to the stranger's channel", added),
      mustBeRejected('adding a user that has left', addedAgain),
    ];
  },
};

async function createChannel(user: ChatUser): Promise<string> {
  const { text } = await user.send('/users/channels', { method: 'POST', body: '{"name":"lobby"}' });
  return createdChannel.parse(JSON.parse(text)).id;
}

/** Adds a user that accepts messages from all accounts and left the channel. */
async function addAfterLeaving(target: Target, stranger: ChatUser): Promise<boolean> {
  const channel = await createChannel(stranger);
  const user = await ChatUser.start(target);
  await user.request('chat-message', { conversation_id: channel, to: null, message: 'hello' });
  await user.request('leave-conversation', { conversation_id: channel });
  await user.close();
  return await stranger.may('add-member', { conversation_id: channel, username: user.account });
}
