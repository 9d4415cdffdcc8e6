import { type ClientFrameType } from '@waggle/contracts';
import { type ChatUnderTest } from './chat-under-test';
import { Stored } from './stored';
import { type Told, Witness } from './witness';

/** Everybody who is connected to a chat, for all tests of a file; what they did in one test is gone in the next. */
export class Witnesses<Name extends string = string> {
  private constructor(
    private readonly chat: ChatUnderTest,
    private readonly stored: Stored,
    readonly named: Readonly<Record<Name, Witness>>,
  ) {}

  static async join<Name extends string>(chat: ChatUnderTest, ...names: readonly Name[]): Promise<Witnesses<Name>> {
    const joined: [string, Witness][] = [];
    for (const name of names) joined.push([name, await Witness.join(chat.instance, name)]);
    const named = Object.fromEntries(joined) as Record<Name, Witness>;
    return new Witnesses(chat, await Stored.of(chat.database), named);
  }

  /** What each has heard on both of their sockets since the last time, by account; who heard nothing is left out. */
  async heard(): Promise<Record<string, Told[]>> {
    const everybody = Object.entries<Witness>(this.named);
    const told = await Promise.all(everybody.map(async ([name, each]) => [name, await each.heard()] as const));
    return Object.fromEntries(told.filter(([, frames]) => frames.length > 0));
  }

  /** The code with which a frame is refused. That must leave everything as it was, and be told to nobody else. */
  async refusal(who: Witness, type: ClientFrameType, payload: object): Promise<string> {
    const before = await this.stored.fingerprints();
    const code = await who.refused(type, payload);
    expect(await this.stored.fingerprints()).toEqual(before);
    expect(await this.heard()).toEqual({});
    return code;
  }

  /** After each test. */
  async forget(): Promise<void> {
    await this.heard();
    await this.stored.clear();
  }

  /** After the last test: the chat ends too. */
  async leave(): Promise<void> {
    await this.chat.instance.close();
    await this.stored.close();
    await this.chat.stop();
  }
}
