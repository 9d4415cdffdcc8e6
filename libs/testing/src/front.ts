import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A connection through the front: from whoever came, and to the server. */
interface Passage {
  near: Socket;
  far: Socket;
}

/**
 * A network of its own for whoever connects through it. Leads to the servers in turn, leaving out those that do not take
 * connections; can cut all that goes through it, and can be a reader that does not read.
 */
export class Front {
  readonly #passages = new Set<Passage>();
  #isDeaf = false;

  private constructor(
    private readonly server: Server,
    private readonly ports: () => readonly number[],
    private turn: number,
  ) {
    server.on('connection', (near) => {
      this.#admit(near);
    });
  }

  /**
   * @param ports of 127.0.0.1 where servers are or may be, asked for at each connection
   * @param turn which of them is the first one's
   */
  static async to(ports: () => readonly number[], turn = 0): Promise<Front> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Front(server, ports, turn);
  }

  get port(): number {
    const address: AddressInfo | string | null = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the front does not listen');
    return address.port;
  }

  /** Ends all connections without a word, as a network does. */
  cut(): void {
    for (const { near, far } of this.#passages) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  }

  /** From now on nothing is read of what the server says; what is said to the server arrives. */
  deafen(): void {
    this.#isDeaf = true;
    for (const { far } of this.#passages) far.pause();
  }

  /** Reads on. */
  hear(): void {
    this.#isDeaf = false;
    for (const { far } of this.#passages) far.resume();
  }

  async stop(): Promise<void> {
    this.server.close();
    this.cut();
    await once(this.server, 'close');
  }

  #admit(near: Socket): void {
    const ports = this.ports();
    const first = this.turn;
    this.turn += 1;
    near.on('error', () => undefined); // A close follows.
    this.#lead(
      near,
      ports.map((_port, index) => ports[(first + index) % ports.length] ?? 0),
    );
  }

  /** To the first of the ports that takes the connection. */
  #lead(near: Socket, [port, ...others]: readonly number[]): void {
    if (port === undefined) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(port, '127.0.0.1');
    const refused = () => {
      this.#lead(near, others);
    };
    far.once('error', refused);
    far.once('connect', () => {
      far.off('error', refused);
      far.on('error', () => undefined); // A close follows.
      if (near.destroyed) far.destroy();
      else this.#join({ near, far });
    });
  }

  #join(passage: Passage): void {
    const { near, far } = passage;
    this.#passages.add(passage);
    for (const socket of [near, far]) socket.setNoDelay(true);
    near.on('data', (data) => {
      if (!far.write(data)) near.pause();
    });
    far.on('drain', () => near.resume());
    far.on('data', (data) => {
      if (!near.write(data)) far.pause();
    });
    near.on('drain', () => {
      if (!this.#isDeaf) far.resume();
    });
    this.#endBoth(passage);
    if (this.#isDeaf) far.pause();
  }

  /** Each side ends with the other, after it was told what is on its way; a side that breaks breaks the other. */
  #endBoth(passage: Passage): void {
    const { near, far } = passage;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('end', () => to.end());
      from.on('close', (isBroken) => {
        if (isBroken) to.destroy();
        else to.end();
        if (near.destroyed && far.destroyed) this.#passages.delete(passage);
      });
    }
  }
}
