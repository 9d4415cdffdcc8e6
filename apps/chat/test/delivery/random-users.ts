import {
  conversation,
  createdChannel,
  draft,
  extendedConversation,
  friendRequest,
  friendsList,
  pin,
  settings,
  unreadMessage,
  type Conversation,
} from '@waggle/contracts';
import { seedAccounts } from '@waggle/devnet';
import { waitLimitMs } from '@waggle/testing';
import { z } from 'zod';
import { type ChatClient, type ChatUser } from '../support/chat-client';
import { type ChatSocket } from '../support/chat-socket';
import { ClientModel, type Extras, type Fetched, type HeldMessage } from './client-model';
import { accountOf, choose, chosenAmong, frameOf, type Action, type Choices } from './random-actions';

const nothing: Fetched = {
  conversations: [],
  followed: [],
  histories: new Map(),
  extras: new Map(),
  friends: { friends: [], blocked: [] },
  requests: [],
  unread: [],
  drafts: [],
};

/** A socket of a user, and the client behind it. */
class Device {
  readonly model: ClientModel;
  private applied: number;
  private sent = 0;

  constructor(
    readonly user: ChatUser,
    readonly socket: ChatSocket,
  ) {
    this.model = new ClientModel(user.account, nothing);
    this.applied = socket.frames.length;
  }

  /** Sends a frame; resolves with its reply. */
  async send(type: string, payload: object): Promise<void> {
    this.sent += 1;
    const ref = `sent-${this.sent}`;
    this.socket.send(type, payload, { ref });
    await this.socket
      .nextMatching((frame) => frame.ref === ref, waitLimitMs)
      .catch((error: unknown) => {
        throw new Error(`no reply to ${type} ${JSON.stringify(payload)} of ${this.user.account}`, { cause: error });
      });
  }

  /** Applies every event that the chat wrote so far. */
  async catchUp(): Promise<void> {
    // Earlier frames arrive before the reply to this one.
    await this.socket.requestError('acknowledgment', {});
    for (const frame of this.socket.frames.slice(this.applied)) this.model.apply(frame);
    this.applied = this.socket.frames.length;
  }
}

/** A model that differs from a fetch. */
export interface Difference {
  account: string;
  delivered: object;
  fetched: object;
}

/** Ten users, two of them with two devices each, who do random things. */
export class RandomUsers {
  /** In order of creation, including those that no user sees any more. */
  private readonly conversations = new Set<string>();
  private readonly channels = new Set<string>();
  private readonly messages = new Set<string>();
  private readonly requests = new Set<string>();
  private texts = 0;
  private done = 0;

  private constructor(private readonly devices: readonly Device[]) {}

  static async join(client: ChatClient): Promise<RandomUsers> {
    const devices = await Promise.all(
      seedAccounts.map(async (account, i) => {
        const user = await client.join(account);
        const first = new Device(user, await user.connect(['rich']));
        return i < 2 ? [first, new Device(user, await user.connect(['rich']))] : [first];
      }),
    );
    return new RandomUsers(devices.flat());
  }

  /** Actions done so far. */
  get actions(): number {
    return this.done;
  }

  /** Does all of the actions at once, waits for all replies, and applies the events of all clients. */
  async doAtOnce(actions: readonly Action[]): Promise<void> {
    this.done += actions.length;
    await Promise.all(actions.map((action) => this.do(action)));
    await this.catchUp();
    // A client that requests a channel gets its current state, so it must not change meanwhile.
    for (const action of actions) if (action.kind === 'follow-channel') await this.follow(action);
  }

  /** Returns the first model that differs from a fetch. */
  async findDifference(): Promise<Difference | undefined> {
    for (const account of seedAccounts) {
      const devices = this.devicesOf(account);
      const [first] = devices;
      if (first === undefined) throw new Error(`${account} has no device`);
      const fetched = await fetchState(first.user, first.model.followedIds);
      const fresh = new ClientModel(account, fetched).state();
      const unread = fetched.unread.map(({ id }) => id);
      for (const { model } of devices) {
        model.fillIn(fetched);
        const delivered = { ...model.state(), ...this.blockedAndChannels(model, fetched.conversations) };
        const seen = { ...fresh, unread, ...(await seenOf(first.user, fetched.conversations)) };
        if (JSON.stringify(delivered) !== JSON.stringify(seen)) return { account, delivered: delivered, fetched: seen };
      }
    }
    return undefined;
  }

  private async do(action: Action): Promise<void> {
    const device = this.deviceFor(action);
    this.texts += 1;
    const text = `text ${this.texts}`;
    const frame = frameOf(action, this.choicesOf(device, action), text);
    if (frame !== undefined) await device.send(frame.type, frame.payload);
    else if (action.kind === 'create-channel') {
      const { id } = await device.user.postJson('/users/channels', { name: text }, createdChannel);
      this.channels.add(id);
    } else if (action.kind === 'set-only-from-friends') {
      const body = { dm: { only_from_friends: action.what % 3 === 0 } };
      await device.user.postJson('/users/settings', body, settings);
    }
  }

  /** Follows a channel without being a member, unless the account was removed or left. */
  private async follow(action: Action): Promise<void> {
    const devices = this.devicesOf(accountOf(action.by));
    const [device] = devices;
    if (device === undefined || this.channels.size === 0) return;
    const id = choose([...this.channels], action.what);
    const hasEnded = device.socket.received('conversation-removed').some((removed) => removed.id === id);
    if (hasEnded || this.isBanned(device.user.account, id) || device.model.conversationIds.includes(id)) return;
    const channel = await device.user.getJson(`/messages/conversation?id=${id}`, conversation);
    const [history, extras] = [await fetchHistory(device.user, id), await fetchExtras(device.user, id)];
    for (const { model } of devices) model.hold(channel, history, extras);
  }

  /**
   * Returns whether an account was removed from a channel, which it may then read but not follow. If it had nothing to
   * do with the channel before, only other accounts receive an event of that.
   */
  private isBanned(account: string, channelId: string): boolean {
    return this.devices.some(({ socket }) =>
      socket
        .received('member-removed')
        .some(({ conversation_id, username }) => conversation_id === channelId && username === account),
    );
  }

  private conversationOf(messageId: string): string | undefined {
    return this.devices.map(({ model }) => model.conversationOf(messageId)).find((id) => id !== undefined);
  }

  private async catchUp(): Promise<void> {
    const known = new Set(this.conversations);
    await Promise.all(this.devices.map((device) => device.catchUp()));
    for (const { model } of this.devices) {
      for (const id of model.conversationIds) {
        if (!known.has(id)) model.markComplete(id);
        this.conversations.add(id);
      }
      for (const id of model.messageIds) this.messages.add(id);
      for (const id of model.requestIds) this.requests.add(id);
    }
  }

  private choicesOf({ model }: Device, { amongAll }: Action): Choices {
    const { account } = model;
    const own: Choices = {
      conversations: model.conversationIds,
      managed: model.managedIds,
      messages: model.messageIds,
      conversationOf: (id) => this.conversationOf(id),
      requests: model.requestIds,
      friends: model.friendNames,
      blocked: model.blockedNames,
      membersOf: (id) => model.membersOf(id).filter((member) => member !== account),
    };
    if (!amongAll) return own;
    const conversations = [...this.channels, ...this.conversations];
    const [messages, requests] = [[...this.messages], [...this.requests]];
    return {
      ...own,
      conversations,
      managed: conversations,
      messages,
      requests,
      friends: seedAccounts,
      blocked: seedAccounts,
    };
  }

  /** `blocked` is not known to one account, but to both together. */
  private blockedAndChannels(model: ClientModel, conversations: readonly Conversation[]) {
    const { account } = model;
    const state = model.state();
    return {
      dmsBlocked: conversations.map(({ type, members }) => {
        const other = members.find((member) => member !== account) ?? '';
        return (
          type === 'dm' && (model.hasBlocked(other) || this.devicesOf(other)[0]?.model.hasBlocked(account) === true)
        );
      }),
      channelsCreated: Object.values(state.conversations)
        .filter(({ type, creator, members }) => type === 'channel' && creator === account && members.includes(account))
        .map(({ id }) => id)
        .sort(),
    };
  }

  /** Returns a device of the account, or of the next one that has a target for the action. */
  private deviceFor(action: Action): Device {
    for (let i = 0; i < seedAccounts.length; i += 1) {
      const devices = this.devicesOf(accountOf(action.by + i));
      const device = devices[action.what % devices.length];
      if (device !== undefined && chosenAmong(action, this.choicesOf(device, action)).length > 0) return device;
    }
    const [first] = this.devices;
    if (first === undefined) throw new Error('no user has joined');
    return first;
  }

  private devicesOf(account: string): Device[] {
    return this.devices.filter(({ user }) => user.account === account);
  }
}

async function seenOf(user: ChatUser, conversations: readonly Conversation[]) {
  const channels = await user.getJson('/users/channels', z.array(conversation));
  return {
    dmsBlocked: conversations.map(({ blocked }) => blocked),
    channelsCreated: channels
      .filter(({ members }) => members.includes(user.account))
      .map(({ id }) => id)
      .sort(),
  };
}

async function fetchHistory(user: ChatUser, id: string): Promise<HeldMessage[]> {
  return (await user.extendedHistory(id, '&limit=200')).map((message) => ({ ...message, seq: undefined }));
}

async function fetchState(user: ChatUser, followedIds: readonly string[]): Promise<Fetched> {
  const [conversations, followed, friends, requests, unread, drafts] = await Promise.all([
    user.conversations(),
    followedIds.length === 0
      ? []
      : user.getJson(`/messages/conversation?ids=${followedIds.join(',')}`, z.array(conversation)),
    user.getJson('/users/friends', friendsList),
    user.getJson('/users/friend-requests', z.array(friendRequest)),
    user.getJson('/messages/new', z.array(unreadMessage)),
    user.getJson('/messages/drafts', z.array(draft)),
  ]);
  const ids = [...conversations, ...followed].map(({ id }) => id);
  const histories = await Promise.all(ids.map(async (id) => [id, await fetchHistory(user, id)] as const));
  const extras = await Promise.all(ids.map(async (id) => [id, await fetchExtras(user, id)] as const));
  return {
    conversations,
    followed,
    histories: new Map(histories),
    extras: new Map(extras),
    friends,
    requests,
    unread,
    drafts,
  };
}

async function fetchExtras(user: ChatUser, id: string): Promise<Extras> {
  const [pins, { muted, favourite }] = await Promise.all([
    user.getJson(`/messages/pins?conversation_id=${id}`, z.array(pin)),
    user.getJson(`/messages/conversation?id=${id}&extended=true`, extendedConversation),
  ]);
  return { pins: pins.map((each) => each.id), muted, favourite };
}
