import { pause } from './pause';
import { ChatSocket, type Login } from './chat-socket';

/** How often a slow reader reads its share. */
const readEveryMs = 20;

/** A client that was disconnected reconnects after this time. */
const reconnectMs = 500;

/** A user of the chat with little bandwidth, who reconnects when disconnected. */
export class SlowReader {
  /** The close codes of its connections. */
  readonly closes: number[] = [];
  readonly #over = new AbortController();
  readonly #timer: NodeJS.Timeout;
  /** Bytes that it may read now. */
  #budget = 0;
  #socket: ChatSocket | undefined;

  private constructor(
    private readonly login: Login,
    private readonly bytesPerSecond: number,
    private readonly onFrame: (data: Buffer) => void,
  ) {
    this.#timer = setInterval(() => {
      this.#read();
    }, readEveryMs);
  }

  static async connect(login: Login, bytesPerSecond: number, onFrame: (data: Buffer) => void): Promise<SlowReader> {
    const reader = new SlowReader(login, bytesPerSecond, onFrame);
    await reader.#connect();
    return reader;
  }

  get isConnected(): boolean {
    return this.#socket?.isOpen === true;
  }

  close(): void {
    this.#over.abort();
    clearInterval(this.#timer);
    this.#socket?.close();
  }

  async #connect(): Promise<void> {
    const { signal } = this.#over;
    this.#socket = await ChatSocket.open(this.login, {
      onFrame: (data) => {
        this.#budget -= data.length;
        if (this.#budget <= 0) this.#socket?.pause();
        this.onFrame(data);
      },
      onClose: (code) => {
        if (signal.aborted) return;
        this.closes.push(code);
        void this.#reconnect();
      },
    });
    if (signal.aborted) this.#socket.close();
  }

  async #reconnect(): Promise<void> {
    while (!this.isConnected && (await pause(reconnectMs, this.#over.signal))) {
      // Tried again in the next turn.
      await this.#connect().catch(() => undefined);
    }
  }

  #read(): void {
    const share = (this.bytesPerSecond * readEveryMs) / 1_000;
    this.#budget = Math.min(this.#budget + share, share);
    if (this.#budget > 0) this.#socket?.resume();
  }
}
