import { connect, type Socket } from 'node:net';

/** How a client reads the body of a response. */
export interface Reading {
  bytes: number;
  everyMs: number;
}

/** Enough for the status line and the headers. */
const headBytes = 1_024;

const ok = 200;

export interface HeldRequest {
  url: string;
  /** The local address of the socket. */
  address: string;
  /** One request, or several that are pipelined. */
  text: string;
  /** How the body is read; undefined if it is not read. */
  reading: Reading | undefined;
}

export interface ResponseHead {
  status: string;
  /** Undefined if the response does not declare its length. */
  contentLength: number | undefined;
  /** Whether a `Link` header announces a next page. */
  hasNextPage: boolean;
}

export interface HeldResponseEvents {
  onHead: (head: ResponseHead) => void;
  onConnectionFailed: () => void;
  /** The service closed the connection. It is not noticed while a response is unread. */
  onCut: () => void;
  /** Called once, when the connection ends for any reason. */
  onEnd: () => void;
}

/** One connection that sends requests and reads nothing of their responses except the head of the first. */
export class HeldResponse {
  private readonly socket: Socket;
  private timer: NodeJS.Timeout | undefined;
  private hasHead = false;
  private isClosed = false;

  constructor(
    private readonly request: HeldRequest,
    private readonly events: HeldResponseEvents,
  ) {
    const { url, address, text, reading } = request;
    const { hostname, port } = new URL(url);
    let hasFailed = false;
    this.socket = connect({
      host: hostname,
      port: Number(port),
      localAddress: address,
      onread: {
        // No more than this is taken from the kernel's buffer.
        buffer: () => Buffer.alloc(this.hasHead ? (reading?.bytes ?? 1) : headBytes),
        callback: (length, buffer) => {
          this.read(Buffer.from(buffer.subarray(0, length)));
          return false;
        },
      },
    });
    this.socket.on('error', () => {
      hasFailed = !this.hasHead && this.socket.bytesWritten === 0;
    });
    this.socket.once('close', () => {
      clearInterval(this.timer);
      if (hasFailed) events.onConnectionFailed();
      else if (!this.isClosed) events.onCut();
      events.onEnd();
    });
    this.socket.write(text);
  }

  close(): void {
    this.isClosed = true;
    this.socket.destroy();
  }

  private read(data: Buffer): void {
    if (this.hasHead) return;
    this.hasHead = true;
    const text = data.toString('latin1');
    const [, status = 'unreadable'] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
    const [, length] = /^content-length: (\d+)/im.exec(text) ?? [];
    this.events.onHead({
      status,
      contentLength: length === undefined ? undefined : Number(length),
      hasNextPage: /^link: .*rel="next"/im.test(text),
    });
    // Errors are short, so holding them occupies nothing.
    if (status !== String(ok)) {
      this.close();
      return;
    }
    const { reading } = this.request;
    if (reading === undefined) return;
    this.timer = setInterval(() => this.socket.resume(), reading.everyMs);
  }
}
