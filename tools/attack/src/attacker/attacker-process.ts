import { OwnProcess, type Running } from '@waggle/running';
import { type Counts } from '../traffic/attack-context';
import { allCounts, type Order } from './protocol';

/** Time beyond the attack: the process waits up to 3 s for its connections. */
const endTimeoutMs = 15_000;

/** Attackers in a process of their own, so that they do not occupy the event loop of the honest clients. */
export class AttackerProcess {
  private constructor(
    private readonly running: Running,
    private readonly process: OwnProcess,
    private readonly endsAtMs: number,
  ) {}

  static async start(running: Running, order: Order): Promise<AttackerProcess> {
    const process = await OwnProcess.start(running, {
      name: `attacker ${order.sequences
        .flat()
        .map(({ name }) => name)
        .join(', ')}`,
      script: 'tools/attack/dist/attacker/main.js',
      input: JSON.stringify(order),
    });
    return new AttackerProcess(running, process, order.startsAtMs + order.seconds * 1_000);
  }

  /** Resolves with the counts of each attack when all are over. @throws Error if the process failed */
  async finished(): Promise<Record<string, Counts>> {
    const line = await this.process.line('{', this.endsAtMs - Date.now() + endTimeoutMs);
    await this.running.end(this.process);
    return allCounts.parse(JSON.parse(line));
  }

  /** Ends the attacks early; `finished` resolves. */
  async stop(): Promise<void> {
    await this.process.stop();
  }
}
