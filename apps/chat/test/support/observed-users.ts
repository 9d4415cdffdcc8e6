import { type ClientFrameType } from '@waggle/contracts';
import { type ChatUnderTest } from './chat-under-test';
import { DatabaseState } from './database-state';
import { type ReceivedFrame, ObservedUser } from './observed-user';

/** The users of a chat, for all tests of a file. What they do in one test is removed before the next. */
export class ObservedUsers<Name extends string = string> {
  private constructor(
    private readonly chat: ChatUnderTest,
    private readonly database: DatabaseState,
    readonly named: Readonly<Record<Name, ObservedUser>>,
  ) {}

  static async join<Name extends string>(chat: ChatUnderTest, ...names: readonly Name[]): Promise<ObservedUsers<Name>> {
    const joined: [string, ObservedUser][] = [];
    for (const name of names) joined.push([name, await ObservedUser.join(chat.instance, name)]);
    const named = Object.fromEntries(joined) as Record<Name, ObservedUser>;
    return new ObservedUsers(chat, await DatabaseState.connect(chat.database), named);
  }

  /** Returns the frames of each user since the last call, by account, without users that received nothing. */
  async received(): Promise<Record<string, ReceivedFrame[]>> {
    const users = Object.entries<ObservedUser>(this.named);
    const received = await Promise.all(users.map(async ([name, each]) => [name, await each.received()] as const));
    return Object.fromEntries(received.filter(([, frames]) => frames.length > 0));
  }

  /** Sends a frame that is rejected, which must change nothing and send no events. @returns the error code */
  async errorCode(who: ObservedUser, type: ClientFrameType, payload: object): Promise<string> {
    const before = await this.database.fingerprints();
    const code = await who.errorCode(type, payload);
    expect(await this.database.fingerprints()).toEqual(before);
    expect(await this.received()).toEqual({});
    return code;
  }

  /** To be called after each test. */
  async reset(): Promise<void> {
    await this.received();
    await this.database.clear();
  }

  /** To be called after the last test. Stops the chat too. */
  async stop(): Promise<void> {
    await this.chat.instance.close();
    await this.database.close();
    await this.chat.stop();
  }
}
