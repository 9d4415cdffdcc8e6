import { type Running, type ServiceProcess } from '@waggle/running';
import { TcpProxy } from '@waggle/testing';

/** Instances of one service behind a balancer that distributes connections in turn. */
export class Replicas {
  /** Instances that did not exit with 0. */
  readonly failures: string[] = [];

  private constructor(
    readonly name: string,
    private readonly running: Running,
    private readonly startOne: () => Promise<ServiceProcess>,
    /** The instances that get new connections. */
    private members: readonly ServiceProcess[],
  ) {}

  static async start(
    running: Running,
    name: string,
    count: number,
    startOne: () => Promise<ServiceProcess>,
  ): Promise<Replicas> {
    const members = await Promise.all(Array.from({ length: count }, startOne));
    return new Replicas(name, running, startOne, members);
  }

  /** The URL of one instance. */
  get url(): string {
    const [first] = this.members;
    if (first === undefined) throw new Error(`there is no instance of ${this.name}`);
    return first.url;
  }

  /** Starts a balancer. */
  async proxy(turn = 0): Promise<TcpProxy> {
    return this.running.use(await TcpProxy.to(() => this.members.map(({ url }) => Number(new URL(url).port)), turn));
  }

  /**
   * Replaces instances one by one, as a cluster does: a new one becomes ready, the balancer drops the old one, whose
   * connections stay open, and the old one gets SIGTERM and must exit with 0.
   */
  async restart(count: number, onRestarted: (index: number, drainMs: number) => void): Promise<void> {
    for (const [index, old] of this.members.slice(0, count).entries()) {
      const successor = await this.startOne();
      this.members = this.members.map((member) => (member === old ? successor : member));
      const sinceMs = performance.now();
      await old.process.stop();
      const end = await old.process.whenEnded();
      if (end !== 'exit code 0') this.failures.push(`${this.name} ${index + 1} exited with ${end} after SIGTERM`);
      await this.running.end(old.process);
      onRestarted(index, performance.now() - sinceMs);
    }
  }
}
