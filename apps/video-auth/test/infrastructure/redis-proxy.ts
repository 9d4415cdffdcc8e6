import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A proxy in front of Redis that can hold back replies: Redis executes a command, but the client does not learn of it.
 */
export class RedisProxy {
  private readonly sockets = new Set<Socket>();
  private readonly held: (() => void)[] = [];
  private holdAt: string | undefined;
  private isHolding = false;

  private constructor(
    private readonly server: Server,
    /** URL of the Redis through the proxy. */
    readonly url: string,
  ) {}

  static async to(redisUrl: string): Promise<RedisProxy> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const [target, url] = [new URL(redisUrl), new URL(redisUrl)];
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new RedisProxy(server, url.href);
    server.on('connection', (client) => {
      proxy.join(client, connect(Number(target.port), target.hostname));
    });
    return proxy;
  }

  /** Holds back all replies from the next command on that contains the text. */
  holdRepliesFrom(text: string): void {
    this.holdAt = text;
  }

  /** Delivers the replies. */
  release(): void {
    this.holdAt = undefined;
    this.isHolding = false;
    for (const deliver of this.held.splice(0)) deliver();
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, redis: Socket): void {
    for (const socket of [client, redis]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => redis.destroy());
    redis.on('close', () => client.destroy());
    client.on('data', (commands: Buffer) => {
      if (this.holdAt !== undefined && commands.includes(this.holdAt)) this.isHolding = true;
      redis.write(commands);
    });
    redis.on('data', (replies: Buffer) => {
      if (this.isHolding) this.held.push(() => client.write(replies));
      else client.write(replies);
    });
  }
}
