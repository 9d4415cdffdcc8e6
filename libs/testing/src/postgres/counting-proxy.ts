import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy in front of PostgreSQL that counts the messages (pieces of data) of its clients and can stop between two
 * statements.
 */
export class CountingProxy {
  private readonly sockets = new Set<Socket>();
  private stopRequest: { left: number; isForwarded: boolean; reached: () => void } | undefined;
  private stopped = false;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    /** URL of the same database through the proxy. */
    readonly url: string,
  ) {}

  static async to(databaseUrl: string): Promise<CountingProxy> {
    const target = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new CountingProxy(server, target, url.toString());
    server.on('connection', (client) => {
      proxy.join(client);
    });
    return proxy;
  }

  /**
   * Resolves after this many more messages. From then on nothing is forwarded in either direction, until the next
   * call.
   *
   * @param isForwarded whether the last of them still reaches the server
   */
  async atMessage(count: number, { isForwarded }: { isForwarded: boolean }): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.stopped = false;
    await new Promise<void>((reached) => {
      this.stopRequest = { left: count, isForwarded, reached };
    });
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (data: Buffer) => {
      if (this.mayPass()) server.write(data);
    });
    server.on('data', (data: Buffer) => {
      if (!this.stopped) client.write(data);
    });
  }

  private mayPass(): boolean {
    if (this.stopped) return false;
    if (this.stopRequest === undefined) return true;
    this.stopRequest.left -= 1;
    if (this.stopRequest.left > 0) return true;
    this.stopped = true;
    const { isForwarded, reached } = this.stopRequest;
    this.stopRequest = undefined;
    reached();
    return isForwarded;
  }
}
