import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxied connection: the client's socket and the server's. */
interface ProxiedConnection {
  near: Socket;
  far: Socket;
}

/**
 * A TCP proxy that distributes connections over servers in turn, and skips unavailable ones. It simulates network
 * failures and slow clients: it can close all connections, refuse new ones, stop reading, and hold back all data.
 */
export class TcpProxy {
  private readonly connections = new Set<ProxiedConnection>();
  /** The sockets of clients that wait for a server to accept a connection. */
  private readonly connecting = new Set<Socket>();
  private isReadingPaused = false;
  private isStalled = false;
  private isRefusing = false;
  /** Number of pieces of data that were forwarded, in both directions. */
  forwarded = 0;

  private constructor(
    private readonly server: Server,
    private readonly ports: () => readonly number[],
    private turn: number,
  ) {
    server.on('connection', (near) => {
      this.admit(near);
    });
  }

  /**
   * @param ports returns the ports of servers on 127.0.0.1; called for each connection
   * @param turn the index of the server for the first connection
   */
  static async to(ports: () => readonly number[], turn = 0): Promise<TcpProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, ports, turn);
  }

  /** @param url of a server on 127.0.0.1 */
  static toUrl(url: string): Promise<TcpProxy> {
    const port = Number(new URL(url).port);
    return TcpProxy.to(() => [port]);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the proxy does not listen');
    return address.port;
  }

  /** Number of connections to servers. */
  get open(): number {
    return this.connections.size;
  }

  /** Closes all connections abruptly, like a network failure. */
  cut(): void {
    for (const near of this.connecting) near.resetAndDestroy();
    for (const { near, far } of this.connections) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** Stops reading from the servers. Data to the servers are still forwarded. */
  pauseReading(): void {
    this.isReadingPaused = true;
    for (const { far } of this.connections) far.pause();
  }

  /** Holds back all data in both directions, also on new connections. */
  stall(): void {
    this.isStalled = true;
    for (const { near, far } of this.connections) for (const socket of [near, far]) socket.pause();
  }

  /** Closes new connections at once. */
  refuse(): void {
    this.isRefusing = true;
  }

  /** Accepts connections, continues reading, and forwards what was held back. */
  restore(): void {
    this.isRefusing = false;
    this.isStalled = false;
    this.isReadingPaused = false;
    for (const { near, far } of this.connections) for (const socket of [near, far]) socket.resume();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.cut();
    await once(this.server, 'close');
  }

  private admit(near: Socket): void {
    if (this.isRefusing) {
      near.resetAndDestroy();
      return;
    }
    const ports = this.ports();
    const first = this.turn;
    this.turn += 1;
    near.on('error', () => undefined); // A close follows.
    this.connecting.add(near);
    near.once('close', () => this.connecting.delete(near));
    this.connect(
      near,
      ports.map((_port, index) => ports[(first + index) % ports.length] ?? 0),
    );
  }

  /** Connects to the first port that accepts the connection. */
  private connect(near: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    const connectNext = (): void => {
      this.connect(near, others);
    };
    far.once('error', connectNext);
    far.once('connect', () => {
      far.off('error', connectNext);
      far.on('error', () => undefined); // A close follows.
      if (near.destroyed) far.destroy();
      else this.join({ near, far });
    });
  }

  private join(connection: ProxiedConnection): void {
    const { near, far } = connection;
    this.connecting.delete(near);
    this.connections.add(connection);
    for (const socket of [near, far]) socket.setNoDelay(true);
    near.on('data', (data) => {
      this.forwarded += 1;
      if (!far.write(data)) near.pause();
    });
    far.on('drain', () => {
      if (!this.isStalled) near.resume();
    });
    far.on('data', (data) => {
      this.forwarded += 1;
      if (!near.write(data)) far.pause();
    });
    near.on('drain', () => {
      if (!this.isStalled && !this.isReadingPaused) far.resume();
    });
    this.endBoth(connection);
    if (this.isStalled) near.pause();
    if (this.isStalled || this.isReadingPaused) far.pause();
  }

  /**
   * Ends both sides of a connection together: when one side ends, the other ends after the remaining data; if one side
   * is destroyed, so is the other.
   */
  private endBoth(connection: ProxiedConnection): void {
    const { near, far } = connection;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('end', () => to.end());
      from.on('close', (isBroken) => {
        if (isBroken) to.destroy();
        else to.end();
        if (near.destroyed && far.destroyed) this.connections.delete(connection);
      });
    }
  }
}
