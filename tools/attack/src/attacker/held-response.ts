import { connect, type Socket } from 'node:net';

/** How a client takes the body of a response. */
export interface Reading {
  bytes: number;
  everyMs: number;
}

/** Enough for the status line and the headers. */
const headBytes = 1_024;

/** The status of a response that is worth holding: others are short and hold nothing. */
const ok = 200;

export interface HeldRequest {
  url: string;
  /** Where the socket comes from. */
  address: string;
  /** What is written: one request, or several that are pipelined. */
  text: string;
  /** How the body is read; undefined: not at all. */
  reading: Reading | undefined;
}

/** What happened to a request. */
export type HeldEvent = `status ${string}` | 'refused connection' | 'cut by the service';

/** One connection that sends requests and leaves the responses unread, but for the head of the first. */
export class HeldResponse {
  readonly #socket: Socket;
  #timer: NodeJS.Timeout | undefined;
  #isAnswered = false;

  /** @param onEnd called once, when nothing is held any longer */
  constructor(
    private readonly request: HeldRequest,
    private readonly onEvent: (event: HeldEvent) => void,
    onEnd: () => void,
  ) {
    const { url, address, text, reading } = request;
    const { hostname, port } = new URL(url);
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: address,
      onread: {
        // Of what is in the socket only so much is taken from the system.
        buffer: () => Buffer.alloc(this.#isAnswered ? (reading?.bytes ?? 1) : headBytes),
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.subarray(0, length)));
          return false;
        },
      },
    });
    this.#socket.on('error', () => {
      onEvent(this.#isAnswered || this.#socket.bytesWritten > 0 ? 'cut by the service' : 'refused connection');
    });
    this.#socket.once('close', () => {
      clearInterval(this.#timer);
      onEnd();
    });
    this.#socket.write(text);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(data: Buffer): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const [, status = 'unreadable'] = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1')) ?? [];
    this.onEvent(`status ${status}`);
    if (status !== String(ok)) {
      this.close();
      return;
    }
    const { reading } = this.request;
    if (reading === undefined) return;
    this.#timer = setInterval(() => this.#socket.resume(), reading.everyMs);
  }
}
