import { type Running, type ServiceProcess } from '@waggle/running';
import { Front } from '@waggle/testing';

/** Instances of one service behind a balancer, which gives connections to them in turn. */
export class Replicas {
  /** What went wrong with an instance when it was asked to end. */
  readonly failures: string[] = [];

  private constructor(
    readonly name: string,
    private readonly running: Running,
    private readonly startOne: () => Promise<ServiceProcess>,
    /** Those that the balancer knows. */
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

  /** Of one of them. */
  get url(): string {
    const [first] = this.members;
    if (first === undefined) throw new Error(`there is no instance of ${this.name}`);
    return first.url;
  }

  /** A balancer of their own for whoever connects through it. */
  async front(turn = 0): Promise<Front> {
    return this.running.keep(await Front.to(() => this.members.map(({ url }) => Number(new URL(url).port)), turn));
  }

  /**
   * One after another, as a cluster does: the new one is ready first, then the balancer forgets the old one, which goes on
   * having the connections that it has, and then gets SIGTERM and must end with 0.
   *
   * @param most so many of them
   */
  async restart(most: number, onRestarted: (index: number, drainMs: number) => void): Promise<void> {
    for (const [index, old] of this.members.slice(0, most).entries()) {
      const successor = await this.startOne();
      this.members = this.members.map((member) => (member === old ? successor : member));
      const sinceMs = performance.now();
      await old.process.stop();
      const end = await old.process.whenEnded();
      if (end !== 'exit code 0') this.failures.push(`${this.name} ${index + 1} ended with ${end} after SIGTERM`);
      await this.running.end(old.process);
      onRestarted(index, performance.now() - sinceMs);
    }
  }
}
