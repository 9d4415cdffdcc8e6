import { pause } from '@waggle/running/waiting';
import { ChatSocket, type Login } from './chat-socket';

/** How often the bytes that the user may read are refilled. */
const refillEveryMs = 20;

/** A client that was disconnected reconnects after this time. */
const reconnectMs = 500;

/** A user of the chat with little bandwidth, who reconnects when disconnected. */
export class SlowChatUser {
  /** The close codes of the connections that the service closed. */
  readonly closeCodes: number[] = [];
  private readonly closed = new AbortController();
  private readonly timer: NodeJS.Timeout;
  /**
   * Bytes that may be read before the next refill; negative after a frame that exceeded it. Unused bytes are not saved.
   */
  private budget = 0;
  private socket: ChatSocket | undefined;

  private constructor(
    private readonly login: Login,
    private readonly bytesPerSecond: number,
    private readonly onFrame: (data: Buffer) => void,
  ) {
    this.timer = setInterval(() => {
      this.refill();
    }, refillEveryMs);
  }

  static async connect(login: Login, bytesPerSecond: number, onFrame: (data: Buffer) => void): Promise<SlowChatUser> {
    const reader = new SlowChatUser(login, bytesPerSecond, onFrame);
    await reader.connect();
    return reader;
  }

  get isConnected(): boolean {
    return this.socket?.isOpen === true;
  }

  close(): void {
    this.closed.abort();
    clearInterval(this.timer);
    this.socket?.close();
  }

  private async connect(): Promise<void> {
    const { signal } = this.closed;
    this.socket = await ChatSocket.open(this.login, {
      onFrame: (data) => {
        this.budget -= data.length;
        if (this.budget <= 0) this.socket?.pause();
        this.onFrame(data);
      },
      onClose: (code) => {
        if (signal.aborted) return;
        this.closeCodes.push(code);
        void this.reconnect();
      },
    });
    if (signal.aborted) this.socket.close();
  }

  private async reconnect(): Promise<void> {
    while (!this.isConnected && (await pause(reconnectMs, this.closed.signal))) {
      // Failed: the loop tries again.
      await this.connect().catch(() => undefined);
    }
  }

  private refill(): void {
    const refill = (this.bytesPerSecond * refillEveryMs) / 1_000;
    this.budget = Math.min(this.budget + refill, refill);
    if (this.budget > 0) this.socket?.resume();
  }
}
