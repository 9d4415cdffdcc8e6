import {
  conversation,
  createdChannel,
  friendRequest,
  friendsList,
  settings,
  unreadMessage,
  type Conversation,
  type Message,
} from '@waggle/contracts';
import { seedAccounts } from '@waggle/devnet';
import { z } from 'zod';
import { type ChatClient, type ChatUser } from './chat-client';
import { type ChatSocket } from './chat-socket';
import { ClientModel, type Fetched } from './client-model';
import { accountOf, choose, chosenAmong, frameOf, type Action, type Choices } from './random-actions';

const nothing: Fetched = {
  conversations: [],
  followed: [],
  histories: new Map(),
  friends: { friends: [], blocked: [] },
  requests: [],
  unread: [],
};

/** Time for an answer, in milliseconds: below the test's own, so that what was not answered is named. */
const answerMs = 10_000;

/** A socket of a user, and the client behind it. */
class Device {
  readonly model: ClientModel;
  private applied: number;
  private asked = 0;

  constructor(
    readonly user: ChatUser,
    readonly socket: ChatSocket,
  ) {
    this.model = new ClientModel(user.account, nothing);
    this.applied = socket.frames.length;
  }

  /** Sends a frame; resolves when it has been answered. */
  async send(type: string, payload: object): Promise<void> {
    this.asked += 1;
    const ref = `did-${this.asked}`;
    this.socket.send(type, payload, { ref });
    await this.socket
      .nextThat((frame) => frame.ref === ref, answerMs)
      .catch((error: unknown) => {
        throw new Error(`no answer to ${type} ${JSON.stringify(payload)} of ${this.user.account}`, { cause: error });
      });
  }

  /** Applies every event that the chat has written so far. */
  async catchUp(): Promise<void> {
    // What was written before the answer to this has arrived with it.
    await this.socket.askInVain('acknowledgment', {});
    for (const frame of this.socket.frames.slice(this.applied)) this.model.apply(frame);
    this.applied = this.socket.frames.length;
  }
}

/** A model that is not what a fresh fetch gives. */
export interface Difference {
  account: string;
  told: object;
  fetched: object;
}

/** Ten users, two of them with two devices each, who do random things. */
export class RandomUsers {
  /** In the order in which they came to be; also those that nobody sees any more. */
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
        const first = new Device(user, user.socket);
        return i < 2 ? [first, new Device(user, await user.connect())] : [first];
      }),
    );
    return new RandomUsers(devices.flat());
  }

  /** Actions done so far. */
  get actions(): number {
    return this.done;
  }

  /** Does all of the actions at once, waits until all are answered, and lets every client hear of them. */
  async doAtOnce(actions: readonly Action[]): Promise<void> {
    this.done += actions.length;
    await Promise.all(actions.map((action) => this.do(action)));
    await this.catchUp();
    // A client that asks for a channel gets its state as of now, so nobody may be changing it meanwhile.
    for (const action of actions) if (action.kind === 'follow-channel') await this.follow(action);
  }

  /** Where what events told differs from what a fresh fetch gives; undefined where nowhere. */
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
        const told = { ...model.state(), ...this.blockedAndChannels(model, fetched.conversations) };
        const seen = { ...fresh, unread, ...(await seenOf(first.user, fetched.conversations)) };
        if (JSON.stringify(told) !== JSON.stringify(seen)) return { account, told, fetched: seen };
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

  /** Reads a channel without being a member. Who was removed or has left may not follow; a client does not try. */
  private async follow(action: Action): Promise<void> {
    const devices = this.devicesOf(accountOf(action.by));
    const [device] = devices;
    if (device === undefined || this.channels.size === 0) return;
    const id = choose([...this.channels], action.what);
    const wasSentAway = device.socket.received('conversation-removed').some((removed) => removed.id === id);
    if (wasSentAway || device.model.conversationIds.includes(id)) return;
    const channel = await device.user.getJson(`/messages/conversation?id=${id}`, conversation);
    const history = await device.user.history(id, '&limit=200');
    for (const { model } of devices) model.hold(channel, history);
  }

  private async catchUp(): Promise<void> {
    const known = new Set(this.conversations);
    await Promise.all(this.devices.map((device) => device.catchUp()));
    for (const { model } of this.devices) {
      for (const id of model.conversationIds) {
        if (!known.has(id)) model.wasThereFromTheStart(id);
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

  /** `blocked` is known to nobody alone, but to both sides together. */
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

  /** A device of the account, or of the next one that has something to do the action to. */
  private deviceFor(action: Action): Device {
    for (let i = 0; i < seedAccounts.length; i += 1) {
      const devices = this.devicesOf(accountOf(action.by + i));
      const device = devices[action.what % devices.length];
      if (device !== undefined && chosenAmong(action, this.choicesOf(device, action)).length > 0) return device;
    }
    const [anybody] = this.devices;
    if (anybody === undefined) throw new Error('nobody has joined');
    return anybody;
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

async function fetchState(user: ChatUser, followedIds: readonly string[]): Promise<Fetched> {
  const [conversations, followed, friends, requests, unread] = await Promise.all([
    user.conversations(),
    followedIds.length === 0
      ? []
      : user.getJson(`/messages/conversation?ids=${followedIds.join(',')}`, z.array(conversation)),
    user.getJson('/users/friends', friendsList),
    user.getJson('/users/friend-requests', z.array(friendRequest)),
    user.getJson('/messages/new', z.array(unreadMessage)),
  ]);
  const histories = await Promise.all(
    [...conversations, ...followed].map(async ({ id }): Promise<[string, Message[]]> => [
      id,
      await user.history(id, '&limit=200'),
    ]),
  );
  return { conversations, followed, histories: new Map(histories), friends, requests, unread };
}
