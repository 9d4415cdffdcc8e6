import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A pair of sockets: from the client, and to the service. */
interface Passage {
  near: Socket;
  far: Socket;
}

/** A real network between a client and the service, which can be cut, can swallow everything, and can be away. */
export class TcpProxy {
  readonly #passages = new Set<Passage>();
  #isStalled = false;
  #isRefusing = false;
  /** How many connections were let through. */
  passed = 0;
  /** How many pieces of data were passed on, either way. */
  carried = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
  ) {
    server.on('connection', (near) => {
      this.#admit(near);
    });
  }

  static async to(url: string): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, new URL(url));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** How many connections there are now. */
  get open(): number {
    return this.#passages.size;
  }

  /** Destroys all connections, without a close code. */
  cut(): void {
    for (const { near, far } of this.#passages) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Stops reading from the service. Data from the client are still forwarded. */
  pauseReading(): void {
    for (const { far } of this.#passages) far.pause();
  }

  /** Connections stay, and nothing passes either way; new ones too. */
  stall(): void {
    this.#isStalled = true;
    for (const { near, far } of this.#passages) for (const socket of [near, far]) socket.pause();
  }

  /** New connections are ended at once. */
  refuse(): void {
    this.#isRefusing = true;
  }

  /** Ends all faults, and forwards what was held back. */
  mend(): void {
    this.#isRefusing = false;
    this.#isStalled = false;
    for (const { near, far } of this.#passages) for (const socket of [near, far]) socket.resume();
  }

  async stop(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  #admit(near: Socket): void {
    if (this.#isRefusing) {
      near.resetAndDestroy();
      return;
    }
    this.passed += 1;
    const far = connect(Number(this.target.port), this.target.hostname);
    const passage = { near, far };
    this.#passages.add(passage);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => {
        this.carried += 1;
        to.write(data);
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.#passages.delete(passage);
      });
    }
    if (this.#isStalled) for (const socket of [near, far]) socket.pause();
  }
}
