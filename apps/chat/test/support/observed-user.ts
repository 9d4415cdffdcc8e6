import { isDeepStrictEqual } from 'node:util';
import {
  type Capability,
  type ClientFrameType,
  type Conversation,
  type FriendRequest,
  friendRequest,
  friendsList,
  type FriendsList,
} from '@waggle/contracts';
import { z } from 'zod';
import { type ChatClient, type ChatUser } from './chat-client';
import { type AnyServerFrame, type ChatSocket } from './chat-socket';

/** A frame without its reference. */
export interface ReceivedFrame {
  type: string;
  payload: object;
}

/** Returns the frames of a socket in parts. */
class FrameReader {
  private returned: number;

  constructor(private readonly socket: ChatSocket) {
    this.returned = socket.frames.length;
  }

  /** Returns all frames that the chat wrote before this call and that were not returned yet. */
  async read(): Promise<ReceivedFrame[]> {
    // Replies are in order, so earlier frames arrive before the reply to this one.
    const { ref } = await this.socket.requestError('acknowledgment', {});
    const frames = this.socket.frames.slice(this.returned);
    this.returned = this.socket.frames.length;
    return frames.filter((frame) => frame.ref !== ref).map(toReceived);
  }
}

/** A user with two sockets, who sends frames on the first one and checks that both receive the same events. */
export class ObservedUser {
  private readonly readers: [FrameReader, FrameReader];
  private acts = 0;

  private constructor(
    readonly user: ChatUser,
    second: ChatSocket,
  ) {
    this.readers = [new FrameReader(user.socket), new FrameReader(second)];
  }

  static async join(client: ChatClient, account: string, capabilities?: readonly Capability[]): Promise<ObservedUser> {
    const user = await client.join(account, capabilities);
    return new ObservedUser(user, await user.connect(capabilities));
  }

  get account(): string {
    return this.user.account;
  }

  /** Sends a frame and waits for the first reply. By then the events are written to all sockets. */
  async act(type: ClientFrameType, payload: object): Promise<void> {
    this.acts += 1;
    const ref = `act-${this.acts}`;
    this.user.socket.send(type, payload, { ref });
    await this.user.socket.nextMatching((frame) => frame.ref === ref);
  }

  /** Sends a frame that is rejected. @returns the error code */
  async errorCode(type: ClientFrameType, payload: object): Promise<string> {
    const { code } = await this.user.socket.requestError(type, payload);
    const received = await this.received();
    if (received.some((frame) => frame.type !== 'error'))
      throw new Error(`rejected, but received ${JSON.stringify(received)}`);
    return code;
  }

  /**
   * Returns the frames since the last call. Errors are received on the first socket only.
   * @throws Error if the two sockets received different events
   */
  async received(): Promise<ReceivedFrame[]> {
    const [first, second] = await Promise.all(this.readers.map((reader) => reader.read()));
    const events = first?.filter(({ type }) => type !== 'error');
    if (isDeepStrictEqual(events, second)) return first ?? [];
    throw new Error(
      `${this.account} received ${JSON.stringify(first)}\nand on the other socket ${JSON.stringify(second)}`,
    );
  }

  friends(): Promise<FriendsList> {
    return this.user.getJson('/users/friends', friendsList);
  }

  requests(): Promise<FriendRequest[]> {
    return this.user.getJson('/users/friend-requests', z.array(friendRequest));
  }
}

/** Makes two accounts friends, and skips the events of that. */
export async function befriend(one: ObservedUser, other: ObservedUser): Promise<void> {
  await one.act('request-friendship', { username: other.account });
  await other.act('request-friendship', { username: one.account });
  expect((await one.friends()).friends).toContain(other.account);
  await Promise.all([one.received(), other.received()]);
}

/** Returns a conversation from the list of a user. */
export async function listed(who: ObservedUser, id: string): Promise<Conversation | undefined> {
  return (await who.user.conversations()).find((each) => each.id === id);
}

/** Returns the texts of a conversation. */
export async function contents(who: ObservedUser, id: string): Promise<string[]> {
  return (await who.user.history(id)).map(({ content }) => content);
}

/** Returns the texts that a user has not read. */
export async function unread(who: ObservedUser): Promise<string[]> {
  return (await who.user.unread()).map(({ content }) => content);
}

function toReceived({ type, payload }: AnyServerFrame): ReceivedFrame {
  return { type, payload };
}
