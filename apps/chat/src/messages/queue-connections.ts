import { type OnApplicationShutdown } from '@nestjs/common';
import { withstandBreaks } from '@waggle/service';
import { type ClientBase, Pool, type PoolClient } from 'pg';

/**
 * Connections that nobody but the message queue uses: slow readings that hold all others do not keep messages waiting. Between
 * two statements they are not given back to a pool, which would take a lone message some 20 microseconds.
 */
export class QueueConnections implements OnApplicationShutdown {
  private readonly pool: Pool;
  /** The one that was used last is taken first: what it has in memory is in the processor's caches most likely. */
  private idle: PoolClient[] = [];
  private readonly broken = new WeakSet<ClientBase>();

  /**
   * @param like whose settings they have
   * @param max so many works at once; others wait
   */
  constructor({ options }: Pool, max: number) {
    // The password is not among what is copied with the others.
    this.pool = new Pool({ ...options, password: options.password, max });
    withstandBreaks(this.pool);
    this.pool.on('connect', (client) => {
      client.on('error', () => {
        this.broken.add(client);
        if (!this.idle.includes(client)) return;
        this.idle = this.idle.filter((each) => each !== client);
        client.release(true);
      });
    });
  }

  /** @param work has a connection to itself, which is not used again where it fails */
  async use<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const client = this.idle.pop() ?? (await this.pool.connect());
    try {
      const result = await work(client);
      if (this.mayKeep(client)) this.idle.push(client);
      // What is broken the pool forgets.
      else client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async onApplicationShutdown() {
    for (const client of this.idle) client.release();
    this.idle = [];
    await this.pool.end();
  }

  /** Unless it broke right after its answer, or others wait for it, which the queue's lanes never do, or all end. */
  private mayKeep(client: ClientBase): boolean {
    return !this.broken.has(client) && this.pool.waitingCount === 0 && !this.pool.ending;
  }
}
