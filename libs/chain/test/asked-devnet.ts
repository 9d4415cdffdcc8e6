import { Devnet } from '@waggle/devnet';
import { HiveClient } from '../src';

/** A devnet, a client that asks it, and how often it was asked for an account. */
export class AskedDevnet {
  private askedBefore = 0;

  private constructor(
    readonly devnet: Devnet,
    readonly client: HiveClient,
  ) {}

  static async start(): Promise<AskedDevnet> {
    const devnet = await Devnet.start();
    return new AskedDevnet(devnet, new HiveClient({ urls: devnet.urls }));
  }

  /** To be called where a test begins to count. */
  countFromHere(): void {
    this.askedBefore = this.calls();
  }

  asked(): number {
    return this.calls() - this.askedBefore;
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.devnet.stop();
  }

  private calls(): number {
    return this.devnet.node.calls.get('database_api.find_accounts') ?? 0;
  }
}
