import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import {
  Chat,
  logIn,
  RejectedError,
  type EndReason,
  type Session,
  UnreachableError,
  type UnreadMessage,
} from '@waggle/client';
import { accountName } from '@waggle/contracts';
import { explain, PlainError } from '@waggle/running';
import { signText } from '../accounts-and-urls';
import { type ChatArguments } from './arguments';
import { printable } from './printable';
import { Recipients } from './recipients';
import { Screen } from './screen';
import { readTypedLine } from './typed-line';

/** The number of past messages that are shown at the start. */
const shownMessages = 20;

/** Shorter than the client's defaults, because a user is waiting. */
const backoff = { firstMs: 250, maxMs: 10_000 };

/** How long to wait at the end for messages in flight. */
const leaveTimeoutMs = 5_000;

/** Codes of errors that another text would not change. */
const recipientErrors = ['account-not-found', 'blocked', 'friends-only', 'forbidden'];

const help = [
  '@carol hi  sends "hi" to carol, who also gets the next lines; "@carol" sends nothing yet',
  '//hi       sends "/hi"',
  '/help      shows this list',
  '/quit      leaves, as Ctrl-C and Ctrl-D do',
];

/** A chat with one partner at a time, in a terminal. */
export class TerminalChat {
  constructor(private readonly options: ChatArguments) {}

  /**
   * Resolves when the user leaves. @throws PlainError if the service is unreachable at the start, or ends the session
   */
  async run(): Promise<void> {
    await new Conversation(await signIn(this.options), this.options.partner).run();
  }
}

/** The chat after the log-in. */
class Conversation {
  private readonly chat: Chat;
  private readonly screen: Screen;
  private readonly shown = new Set<string>();
  private readonly sending = new Set<Promise<void>>();
  private readonly leaving = new AbortController();
  private readonly left = once(this.leaving.signal, 'abort');
  private readonly recipients: Recipients;
  private isLost = false;
  private endedBy: EndReason | undefined;

  constructor(session: Session, partner: string) {
    this.recipients = new Recipients(partner);
    this.chat = new Chat({ session, backoff });
    this.screen = new Screen({
      onLine: (line) => {
        this.typed(line);
      },
      onEnd: () => {
        this.leaving.abort();
      },
    });
    this.showRecipient();
    this.listen();
  }

  async run(): Promise<void> {
    try {
      await Promise.race([this.begin(), this.left]);
      await this.left;
      await this.finish();
    } finally {
      await this.chat.close();
      this.screen.close();
    }
    if (this.endedBy === 'session-revoked') throw new PlainError('The session was ended.');
    if (this.endedBy === 'log-in-rejected') throw new PlainError('The service no longer accepts the log-in.');
    if (this.endedBy === 'no-websocket') throw new PlainError('No WebSocket can be created for this URL.');
  }

  private listen(): void {
    this.chat.on('chat-message', (message) => {
      this.show(message);
    });
    this.chat.on('disconnected', ({ code }) => {
      if (!this.isLost) this.screen.print(`The connection was lost (${code}). Connecting again …`);
      this.isLost = true;
    });
    this.chat.on('connected', () => {
      if (this.isLost) this.screen.print('Connected again.');
      this.isLost = false;
    });
    this.chat.on('state-lost', () => {
      void this.showPast();
    });
    this.chat.on('error', ({ message, code }) => {
      this.screen.print(`Error: ${printable(message)} (${code})`);
    });
    this.chat.on('ended', ({ reason }) => {
      if (!this.leaving.signal.aborted) this.endedBy = reason;
      this.leaving.abort();
    });
  }

  private async begin(): Promise<void> {
    await this.chat.connect();
    await this.showPast();
    const { current } = this.recipients;
    this.screen.print(
      `You are ${this.chat.account} and talk to ${current}. "@carol hi" talks to carol, /help lists more.`,
    );
  }

  /** Shows the last messages with the partner, and unread messages of others. */
  private async showPast(): Promise<void> {
    try {
      await this.chat.holdEvents(async () => {
        const { api } = this.chat;
        const conversations = await api.conversations();
        const dm = conversations.find(
          ({ type, members }) => type === 'dm' && members.includes(this.recipients.current),
        );
        const past = dm === undefined ? [] : (await api.historyPage(dm.id, { pageSize: shownMessages })).messages;
        for (const message of [...past, ...(await api.unread())]) this.show(message);
      });
    } catch (error) {
      if (!this.leaving.signal.aborted) this.screen.print(explain(error));
    }
  }

  private show({ id, from, to, content, conversation_id }: UnreadMessage): void {
    // Messages to groups are not shown.
    if (to === null || this.shown.has(id)) return;
    this.shown.add(id);
    this.screen.printMessage(from, content);
    // If this fails, the message is shown again at the next start.
    if (from !== this.chat.account) this.chat.acknowledge(conversation_id).catch(() => undefined);
  }

  private typed(line: string): void {
    const typed = readTypedLine(line);
    if (typed?.kind === 'message') this.say(typed.text);
    else if (typed?.kind === 'recipient') this.address(typed.name, typed.text);
    else if (typed?.kind === 'command') this.execute(typed.name);
  }

  private execute(command: string): void {
    if (command === 'quit') this.leaving.abort();
    else if (command === 'help') for (const line of help) this.screen.print(line);
    else this.screen.print(`Not sent: there is no command "/${printable(command)}". /help lists them; // sends a "/".`);
  }

  private address(name: string, text: string): void {
    const account = accountName.safeParse(name);
    if (!account.success) {
      this.screen.print(`Not sent: "${printable(name)}" is not an account name.`);
      return;
    }
    this.recipients.choose(account.data);
    this.showRecipient();
    if (text === '') this.screen.print(`You talk to ${account.data}.`);
    else this.say(text);
  }

  private showRecipient(): void {
    this.screen.setPrompt(`to ${this.recipients.current}> `);
  }

  /** Sends a message; without a connection, as soon as there is one. */
  private say(text: string): void {
    const to = this.recipients.current;
    if (this.isLost) this.screen.print(`Waits for the connection: "${printable(text)}" to ${to}`);
    const sending = this.chat
      .sendTo(to, text)
      .then(
        () => {
          this.recipients.confirm(to);
        },
        (error: unknown) => {
          this.screen.print(notSent(to, text, error));
          if (error instanceof RejectedError && recipientErrors.includes(error.code)) this.goBackFrom(to);
        },
      )
      .finally(() => this.sending.delete(sending));
    this.sending.add(sending);
  }

  /** Goes back to the previous recipient if the account never got a message. */
  private goBackFrom(account: string): void {
    const { current } = this.recipients;
    this.recipients.reject(account);
    if (this.recipients.current === current) return;
    this.showRecipient();
    this.screen.print(`You talk to ${this.recipients.current}.`);
  }

  /** Waits until the messages are stored: the end of a pipe follows directly on its last line. */
  private async finish(): Promise<void> {
    if (this.isLost && this.sending.size > 0)
      this.screen.print(`Waiting up to ${leaveTimeoutMs / 1_000} s for the connection …`);
    const timer = new AbortController();
    const late = setTimeout(leaveTimeoutMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.sending), late]);
    timer.abort();
  }
}

function notSent(to: string, text: string, error: unknown): string {
  if (!(error instanceof RejectedError)) return `Perhaps not sent to ${to}: ${printable(text)}`;
  return `Not sent to ${to} ("${printable(text)}"): ${printable(error.message)} (${error.code})`;
}

/** @throws PlainError if the service is unreachable or rejects the log-in, or if the key is invalid */
async function signIn({ url, account, key }: ChatArguments): Promise<Session> {
  try {
    return await logIn({ url, account, sign: (text) => signText(text, key), logsInAgain: true });
  } catch (error) {
    if (error instanceof UnreachableError) {
      throw new PlainError(`No chat service responds at ${url}; npm start runs one.`);
    }
    if (error instanceof RejectedError) {
      throw new PlainError(`${account} cannot log in: ${error.message}`);
    }
    throw error;
  }
}
