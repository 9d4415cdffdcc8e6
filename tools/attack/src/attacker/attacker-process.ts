import { OwnProcess, type Running } from '@waggle/running';
import { parseTallies, type Tallies, talliesPrefix } from './tallies-line';

/** What its end takes beyond the attack: it waits up to 3 s for its connections. */
const endTimeoutMs = 15_000;

export interface Order {
  attack: string;
  seconds: number;
  rate: number;
  job: unknown;
}

/** An attacker in a process of its own, so that it takes no turn of the honest clients' event loop. */
export class AttackerProcess {
  private constructor(
    private readonly running: Running,
    private readonly process: OwnProcess,
    private readonly seconds: number,
  ) {}

  static async start(running: Running, order: Order): Promise<AttackerProcess> {
    const process = await OwnProcess.start(running, {
      name: `attacker ${order.attack}`,
      script: 'tools/attack/dist/attacker/main.js',
      input: JSON.stringify(order),
    });
    return new AttackerProcess(running, process, order.seconds);
  }

  /** Resolves when the attack is over. @throws Error when the process failed */
  async finished(): Promise<Tallies> {
    const line = await this.process.line(talliesPrefix, this.seconds * 1_000 + endTimeoutMs);
    await this.running.end(this.process);
    return parseTallies(line);
  }

  /** Ends the attack early: `finished` resolves. */
  async stop(): Promise<void> {
    await this.process.stop();
  }
}
