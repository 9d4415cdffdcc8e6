import { type MessageWithSeq } from '@waggle/client';
import { type Random } from '@waggle/testing';
import { type ShownConversation } from '@waggle/chat-element/headless';
import { tagOf } from '../observation';
import { type ChangeLog, type ChangeRequest } from './change-log';
import { type Device } from './device';

/** What devices do; what is listed more often is done more often. */
const actions = [
  ...['open', 'react', 'react', 'react', 'react', 'edit', 'edit', 'edit', 'delete', 'pin', 'pin'],
  ...['read', 'read', 'mark-unread', 'mute', 'favourite'],
] as const;

const emoji = ['👍', '🐝', '🍯'] as const;

export interface ChangeLoadOptions {
  devices: readonly Device[];
  log: ChangeLog;
  /** Changes per second of all devices together. */
  perSecond: number;
  random: Random;
}

/** Lets devices open conversations and change what they show: a random part of it, again and again. */
export class ChangeLoad {
  private timer: NodeJS.Timeout | undefined;
  private edits = 0;

  constructor(private readonly options: ChangeLoadOptions) {}

  start(): void {
    this.timer = setInterval(() => {
      this.change();
    }, 1_000 / this.options.perSecond);
  }

  /** Resolves when all changes have a result. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.options.log.settled();
  }

  private change(): void {
    const { devices, log, random } = this.options;
    const device = random.pick(devices);
    const { conversations } = device;
    // It has none while it loads them.
    if (conversations.length === 0) return;
    const action = random.pick(actions);
    const open = conversations.filter(({ messages = [] }) => messages.length > 0);
    if (action === 'open' || open.length === 0) {
      device.open(random.pick(conversations).id);
      return;
    }
    const conversation = random.pick(open);
    const isOwn = ['edit', 'delete', 'pin'].includes(action);
    const messages = (conversation.messages ?? []).filter(({ from }) => !isOwn || from === device.account);
    if (messages.length > 0) log.make(device, this.request(device, action, conversation, random.pick(messages)));
  }

  /** Only the sender changes a message, so that the order of its changes is known. */
  private request(
    { account, chat }: Device,
    action: Exclude<(typeof actions)[number], 'open'>,
    { id, members, muted, favourite, pins = [] }: ShownConversation,
    { id: messageId, seq, content, reactions = [] }: MessageWithSeq,
  ): ChangeRequest {
    const { random } = this.options;
    const set = (key: string, isSet: boolean) => ({ key, effect: 'set', value: Number(isSet) }) as const;
    switch (action) {
      case 'react': {
        const picked = random.pick(emoji);
        const isAdded = !reactions.some((reaction) => reaction.emoji === picked && reaction.own);
        const changes = [set(`reaction ${messageId} ${picked} ${account}`, isAdded)];
        const perform = () => (isAdded ? chat.addReaction(messageId, picked) : chat.removeReaction(messageId, picked));
        return { subject: changes[0]?.key ?? '', messageId, changes, perform };
      }
      case 'edit': {
        this.edits += 1;
        const text = `${tagOf(content)} edit-${this.edits} ${random.chance(1 / 2) ? `@${random.pick(members)}` : ''}`;
        const changes = [{ key: `text ${messageId}`, effect: 'edit', text: text.trim() } as const];
        return { subject: messageId, messageId, changes, perform: () => chat.editMessage(messageId, text.trim()) };
      }
      case 'delete': {
        const changes = [set(`deleted ${messageId}`, true), set(`pin ${messageId}`, false)];
        return { subject: messageId, messageId, changes, perform: () => chat.deleteMessage(messageId) };
      }
      case 'pin': {
        const isPinned = !pins.some((pin) => pin.id === messageId);
        const changes = [set(`pin ${messageId}`, isPinned)];
        const perform = () => (isPinned ? chat.pinMessage(messageId) : chat.unpinMessage(messageId));
        return { subject: messageId, messageId, changes, perform };
      }
      case 'read':
      case 'mark-unread': {
        const key = `read ${id} ${account}`;
        const isRead = action === 'read';
        const changes = [{ key, effect: isRead ? 'raise' : 'lower', value: isRead ? seq : seq - 1 } as const];
        const perform = () => (isRead ? chat.acknowledgeUpTo(id, seq) : chat.markUnread(messageId));
        return { subject: key, messageId, changes, perform };
      }
      case 'mute':
      case 'favourite': {
        const isSet = action === 'mute' ? !muted : !favourite;
        const changes = [set(`${action} ${id} ${account}`, isSet)];
        const preferences = action === 'mute' ? { muted: isSet } : { favourite: isSet };
        return {
          subject: `preferences ${id} ${account}`,
          messageId,
          changes,
          perform: () => chat.setPreferences(id, preferences),
        };
      }
    }
  }
}
