import { isDeepStrictEqual } from 'node:util';
import {
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

/** A frame without the mark of what it answers. */
export interface Told {
  type: string;
  payload: object;
}

/** What a socket is told, piece by piece. */
class Ear {
  private heard: number;

  constructor(private readonly socket: ChatSocket) {
    this.heard = socket.frames.length;
  }

  /** Everything that the chat had written to the socket when this was called, and that was not returned before. */
  async listen(): Promise<Told[]> {
    // Frames of a connection are answered in order: what was written before the answer to this has arrived with it.
    const { ref } = await this.socket.askInVain('acknowledgment', {});
    const frames = this.socket.frames.slice(this.heard);
    this.heard = this.socket.frames.length;
    return frames.filter((frame) => frame.ref !== ref).map(toTold);
  }
}

/** A user with two sockets, who does something on the first and tells what both heard. */
export class Witness {
  private readonly ears: [Ear, Ear];
  private acts = 0;

  private constructor(
    readonly user: ChatUser,
    second: ChatSocket,
  ) {
    this.ears = [new Ear(user.socket), new Ear(second)];
  }

  static async join(client: ChatClient, account: string): Promise<Witness> {
    const user = await client.join(account);
    return new Witness(user, await user.connect());
  }

  get account(): string {
    return this.user.account;
  }

  /** Sends a frame and waits for whatever answers it first. By then everybody has been written to. */
  async act(type: ClientFrameType, payload: object): Promise<void> {
    this.acts += 1;
    const ref = `act-${this.acts}`;
    this.user.socket.send(type, payload, { ref });
    await this.user.socket.nextThat((frame) => frame.ref === ref);
  }

  /** The code with which a frame is refused; the refusal is not heard again. */
  async refused(type: ClientFrameType, payload: object): Promise<string> {
    const { code } = await this.user.socket.askInVain(type, payload);
    const heard = await this.heard();
    if (heard.some((frame) => frame.type !== 'error')) throw new Error(`refused, yet told ${JSON.stringify(heard)}`);
    return code;
  }

  /**
   * What came since the last time. Refusals are heard on the first socket only.
   * @throws Error where the two sockets heard different things
   */
  async heard(): Promise<Told[]> {
    const [first, second] = await Promise.all(this.ears.map((ear) => ear.listen()));
    const events = first?.filter(({ type }) => type !== 'error');
    if (isDeepStrictEqual(events, second)) return first ?? [];
    throw new Error(`${this.account} heard ${JSON.stringify(first)}\nand elsewhere ${JSON.stringify(second)}`);
  }

  friends(): Promise<FriendsList> {
    return this.user.getJson('/users/friends', friendsList);
  }

  requests(): Promise<FriendRequest[]> {
    return this.user.getJson('/users/friend-requests', z.array(friendRequest));
  }
}

/** Makes two accounts friends; what they hear of it is not heard again. */
export async function befriend(one: Witness, other: Witness): Promise<void> {
  await one.act('request-friendship', { username: other.account });
  await other.act('request-friendship', { username: one.account });
  expect((await one.friends()).friends).toContain(other.account);
  await Promise.all([one.heard(), other.heard()]);
}

/** A conversation as one sees it in the list of theirs. */
export async function listed(who: Witness, id: string): Promise<Conversation | undefined> {
  return (await who.user.conversations()).find((each) => each.id === id);
}

/** The texts of a conversation. */
export async function contents(who: Witness, id: string): Promise<string[]> {
  return (await who.user.history(id)).map(({ content }) => content);
}

/** The texts that one has not read. */
export async function unread(who: Witness): Promise<string[]> {
  return (await who.user.unread()).map(({ content }) => content);
}

function toTold({ type, payload }: AnyServerFrame): Told {
  return { type, payload };
}
