import { type FrameErrorCode } from '@waggle/contracts';
import { honestAddress } from '../traffic/addresses';
import { ChatSocket, type Frame, parseFrame } from '../traffic/chat-socket';
import { failureOf, HttpClient, limited, responseTimeoutMs } from '../traffic/http-client';
import { type Target } from '../target/target';
import { type HonestClient } from './honest-client';

/** Starts two accounts that write to each other and read their lists. */
export async function startHonestChat(target: Target): Promise<HonestClient> {
  const { url } = target.service('chat');
  const [sender, recipient] = [target.newAccount(), target.newAccount()];
  const [from, to] = [await target.logInToChat(sender), await target.logInToChat(recipient)];
  const conversation = new HonestConversation(url, from.ws_token, to.ws_token, recipient);
  await conversation.open();
  const http = new HttpClient(url, honestAddress);
  const headers = { authorization: `Bearer ${from.token}` };
  const get = (path: string) => ({
    name: path,
    run: async () => failureOf(await http.send(path, { headers })),
  });
  const message = { name: 'message', run: () => conversation.exchange() };
  return {
    operations: [
      message,
      get('/messages/conversations'),
      message,
      get('/users/friends'),
      message,
      get('/messages/new'),
    ],
    perSecond: 36,
    close: async () => {
      conversation.close();
      await http.close();
    },
  };
}

const busyCodes: readonly FrameErrorCode[] = ['rate-limited', 'unavailable'];

/** A direct conversation. A message is delivered when the recipient receives it. */
class HonestConversation {
  private sender: Promise<ChatSocket> | undefined;
  private recipient: Promise<ChatSocket> | undefined;
  /** By the text of the message. */
  private readonly pending = new Map<string, (failure: string | undefined) => void>();
  private sent = 0;

  constructor(
    private readonly url: string,
    private readonly senderToken: string,
    private readonly recipientToken: string,
    private readonly to: string,
  ) {}

  /** Connects both sides unless they are connected. @throws Error if the service does not accept a connection */
  async open(): Promise<ChatSocket> {
    this.recipient ??= this.connect(this.recipientToken, () => (this.recipient = undefined));
    this.sender ??= this.connect(this.senderToken, () => (this.sender = undefined));
    const [sender] = await Promise.all([this.sender, this.recipient]);
    return sender;
  }

  /** Sends a message and waits until it is delivered. @returns how it failed; undefined if it succeeded */
  async exchange(): Promise<string | undefined> {
    const socket = await this.open();
    this.sent += 1;
    const text = `honest message ${this.sent}`;
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.complete(text, 'not delivered');
      }, responseTimeoutMs);
      this.pending.set(text, (failure) => {
        clearTimeout(timer);
        resolve(failure);
      });
      socket.send('chat-message', { to: this.to, message: text });
    });
  }

  close(): void {
    for (const socket of [this.sender, this.recipient]) {
      void socket?.then(
        (open) => {
          open.close();
        },
        () => undefined,
      );
    }
  }

  private async connect(token: string, onEnd: () => void): Promise<ChatSocket> {
    try {
      return await ChatSocket.open(
        { url: this.url, token, address: honestAddress },
        {
          onFrame: (data) => {
            this.receive(parseFrame(data));
          },
          onClose: (code) => {
            onEnd();
            this.completeAll(`connection closed ${code}`);
          },
        },
      );
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  private receive({ type, payload }: Frame): void {
    const { content, to, code, retry_after_ms: retryAfterMs } = payload;
    // Both sides receive it; for the sender it means only that the message is stored.
    if (type === 'chat-message' && to === this.to) this.complete(String(content), undefined);
    if (type !== 'error') return;
    const isBusy = busyCodes.some((busy) => busy === code) && typeof retryAfterMs === 'number';
    this.completeAll(isBusy ? limited : `error ${String(code)}`);
  }

  private complete(text: string, failure: string | undefined): void {
    this.pending.get(text)?.(failure);
    this.pending.delete(text);
  }

  private completeAll(failure: string): void {
    for (const text of this.pending.keys()) this.complete(text, failure);
  }
}
