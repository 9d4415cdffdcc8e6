import { Devnet } from '@waggle/devnet';
import { HiveClient } from '../src';

/** A devnet, its client, and the number of calls for accounts. */
export class CountedDevnet {
  private callsBefore = 0;

  private constructor(
    readonly devnet: Devnet,
    readonly client: HiveClient,
  ) {}

  static async start(): Promise<CountedDevnet> {
    const devnet = await Devnet.start();
    return new CountedDevnet(devnet, new HiveClient({ urls: devnet.urls }));
  }

  /** Starts counting from zero. */
  countFromHere(): void {
    this.callsBefore = this.allCalls();
  }

  calls(): number {
    return this.allCalls() - this.callsBefore;
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.devnet.stop();
  }

  private allCalls(): number {
    return this.devnet.node.calls.get('database_api.find_accounts') ?? 0;
  }
}
