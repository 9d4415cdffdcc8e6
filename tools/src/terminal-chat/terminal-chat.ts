import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { type Message, accountName, conversation, message, serverFrames, unreadMessage } from '@waggle/contracts';
import { PlainError } from '../plain-error';
import type { ChatArguments } from './arguments';
import { Connection, type Frame } from './connection';
import { Outbox, type Outgoing } from './outbox';
import { printable } from './printable';
import { Screen } from './screen';
import { RefusedError, Session } from './session';

/** How many of the last messages are shown at the start. */
const shownMessages = 20;

/** Pauses between attempts to connect again. */
const firstPauseMs = 250;
const longestPauseMs = 10_000;

/** How long lines that are on their way may take when we leave. */
const leaveTimeoutMs = 5_000;

type ShownMessage = Omit<Message, 'read'>;

/** A chat with one partner at a time, in a terminal. */
export class TerminalChat {
  readonly #session: Session;
  readonly #screen: Screen;
  readonly #outbox = new Outbox();
  /** The dm with each partner, as far as we know it. */
  readonly #conversations = new Map<string, string>();
  readonly #shown = new Set<string>();
  readonly #leaving = new AbortController();
  readonly #left = once(this.#leaving.signal, 'abort').then(() => '');
  #partner: string;
  #connection: Connection | undefined;
  /** Live messages that came while the history was still on its way. */
  #early: ShownMessage[] | undefined;

  constructor(private readonly options: ChatArguments) {
    this.#partner = options.partner;
    this.#session = new Session(options.url, options.account, options.key);
    this.#screen = new Screen({
      onLine: (line) => {
        this.#typed(line);
      },
      onEnd: () => {
        this.#leaving.abort();
      },
    });
  }

  /** Resolves when the user leaves. @throws PlainError when the service cannot be reached at the start. */
  async run(): Promise<void> {
    try {
      await this.#session.signIn();
      await this.#connect();
      const { account } = this.options;
      this.#screen.print(`You are ${account} and talk to ${this.#partner}. "@carol hi" talks to carol, /quit leaves.`);
      while (await this.#isLost()) await this.#reconnect();
      await this.#finish();
    } finally {
      this.#screen.close();
    }
  }

  /** Resolves with true when the connection has ended, with false when we are to leave. */
  async #isLost(): Promise<boolean> {
    const reason = await Promise.race([this.#connection?.ended, this.#left]);
    if (this.#leaving.signal.aborted) return false;
    this.#connection = undefined;
    this.#screen.print(`${reason ?? 'Not connected.'} Connecting again …`);
    return true;
  }

  async #reconnect(): Promise<void> {
    for (let pauseMs = firstPauseMs; !this.#leaving.signal.aborted; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        await Promise.race([setTimeout(pauseMs), this.#left]);
        await this.#session.renew();
        await this.#connect();
        this.#screen.print('Connected again.');
        return;
      } catch (error) {
        if (error instanceof RefusedError || !(error instanceof PlainError)) throw error;
      }
    }
  }

  async #connect(): Promise<void> {
    const early: ShownMessage[] = [];
    this.#early = early;
    const token = this.#session.webSocketToken;
    const connection = await Connection.open(this.options.url, token, (frame) => {
      this.#received(frame);
    });
    this.#connection = connection;
    try {
      await this.#showMissed();
    } catch (error) {
      this.#connection = undefined;
      connection.close();
      throw error;
    }
    for (const shown of early) this.#show(shown);
    this.#early = undefined;
    for (const line of this.#outbox.lines) this.#send(line);
  }

  /** What was said while we were not there: with the partner, in unread messages, and our own lines without an answer. */
  async #showMissed(): Promise<void> {
    const conversations = await this.#session.get('/messages/conversations', conversation.array());
    for (const { id, type, members } of conversations) {
      const partner = members.find((member) => member !== this.options.account);
      if (type === 'dm' && partner !== undefined) this.#conversations.set(partner, id);
    }
    const unanswered = this.#outbox.unanswered;
    for (const partner of new Set([this.#partner, ...unanswered.map(({ to }) => to)])) {
      await this.#showHistory(partner, unanswered);
    }
    for (const line of unanswered) line.isSent = false;
    for (const unread of await this.#session.get('/messages/new', unreadMessage.array())) {
      if (unread.to !== null) this.#show(unread);
    }
  }

  async #showHistory(partner: string, unanswered: Outgoing[]): Promise<void> {
    const id = this.#conversations.get(partner);
    if (id === undefined) return;
    const query = new URLSearchParams({ conversation_id: id, limit: String(shownMessages) });
    for (const past of await this.#session.get(`/messages/chats?${query.toString()}`, message.array())) {
      // The service stored the line, though its answer was lost with the connection.
      const isOurs = !this.#shown.has(past.id) && past.from === this.options.account;
      const stored = unanswered.find((line) => isOurs && line.to === partner && line.text === past.content);
      if (stored !== undefined) this.#outbox.settle(stored.ref);
      this.#show(past);
    }
  }

  #received({ type, payload, ref }: Frame): void {
    if (type === 'chat-message') this.#receivedMessage(message.parse(payload), ref);
    else if (type === 'error') this.#receivedError(payload, ref);
    else if (type === 'reauthentication-required') void this.#renew();
  }

  #receivedMessage(received: Message, ref: unknown): void {
    if (received.to === null) return; // Of a group: this is a chat between two.
    this.#conversations.set(
      received.from === this.options.account ? received.to : received.from,
      received.conversation_id,
    );
    this.#outbox.settle(ref);
    if (this.#early === undefined) this.#show(received);
    else this.#early.push(received);
  }

  #receivedError(payload: unknown, ref: unknown): void {
    const error = serverFrames.error.parse(payload);
    const line = this.#outbox.settle(ref);
    const what = line === undefined ? 'The service says' : `Not sent to ${line.to} ("${printable(line.text)}")`;
    this.#screen.print(`${what}: ${printable(error.message)} (${error.code})`);
  }

  #show(shown: ShownMessage): void {
    if (this.#shown.has(shown.id)) return;
    this.#shown.add(shown.id);
    this.#screen.printMessage(shown.from, shown.content);
    const isFromOther = shown.from !== this.options.account;
    if (isFromOther) this.#connection?.send('acknowledgment', { conversation_id: shown.conversation_id });
  }

  async #renew(): Promise<void> {
    try {
      await this.#session.renew();
      this.#connection?.send('authenticate', { token: this.#session.webSocketToken });
    } catch (error) {
      this.#screen.print(error instanceof PlainError ? error.message : String(error));
    }
  }

  #typed(line: string): void {
    const text = line.trim();
    if (text === '/quit') this.#leaving.abort();
    else if (text.startsWith('@')) this.#address(text);
    else if (text !== '') this.#say(text);
  }

  #address(text: string): void {
    const [, name, said] = /^@(\S+)\s*(.*)$/.exec(text) ?? [];
    const partner = accountName.safeParse(name);
    if (!partner.success) {
      this.#screen.print(`"${name ?? ''}" is not an account name.`);
      return;
    }
    this.#partner = partner.data;
    if (said === undefined || said === '') this.#screen.print(`You talk to ${this.#partner}.`);
    else this.#say(said);
  }

  #say(text: string): void {
    this.#send(this.#outbox.add(this.#partner, text));
  }

  /** Lines typed while there is no connection go out with the next one. */
  #send(line: Outgoing): void {
    if (this.#connection === undefined || this.#early !== undefined || line.isSent) return;
    const { to, text, ref } = line;
    const id = this.#conversations.get(to);
    if (id === undefined) this.#connection.send('create-conversation', { to, message: text }, ref);
    else this.#connection.send('chat-message', { conversation_id: id, to, message: text }, ref);
    line.isSent = true;
  }

  /** Goes once what was typed is stored: the end of a pipe follows directly on its last line. */
  async #finish(): Promise<void> {
    const timer = new AbortController();
    const late = setTimeout(leaveTimeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    if (this.#connection !== undefined) await Promise.race([this.#outbox.empty(), this.#connection.ended, late]);
    timer.abort();
    for (const { to, text } of this.#outbox.lines) this.#screen.print(`Perhaps not sent to ${to}: ${printable(text)}`);
    this.#connection?.close();
  }
}
