import { createLogger } from '@waggle/service';
import { Devnet, type DevnetOptions } from '@waggle/devnet';
import { until, untilApplied } from '@waggle/testing';
import { readIndexerConfig } from '../../src/config';
import { type Indexer } from '@waggle/service/chain';
import { createGatewayIndexer } from '../../src/indexer.app';
import { type ConfigChanges, GatewayUnderTest } from './gateway-under-test';

/** A devnet, an indexer that follows it, and the API. */
export class GatewayStack {
  private constructor(
    readonly devnet: Devnet,
    readonly gateway: GatewayUnderTest,
    private readonly indexer: Indexer,
  ) {}

  static async start(options: DevnetOptions, changes?: ConfigChanges): Promise<GatewayStack> {
    const devnet = await Devnet.start(options);
    const gateway = await GatewayUnderTest.start(devnet.urls, { index: 'none', ...changes });
    const config = readIndexerConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: gateway.database.url,
      HIVE_API_NODES: devnet.url,
      POLL_INTERVAL_MS: '50',
    });
    const indexer = await createGatewayIndexer(config, createLogger('rpc-gateway-indexer', 'silent'));
    indexer.start();
    return new GatewayStack(devnet, gateway, indexer);
  }

  /** Makes all blocks irreversible, and waits until they are indexed and the API knows that. */
  async indexed(): Promise<void> {
    this.devnet.makeIrreversible();
    const { lastIrreversible } = this.devnet.chain;
    await untilApplied(this.gateway.database.url, lastIrreversible);
    await until(async () => (await this.gateway.indexBlock()) === lastIrreversible);
  }

  /** The indexer's response to `GET /metrics`. */
  async indexerMetrics(): Promise<string> {
    await this.indexer.app.init();
    return (await this.indexer.app.inject('/metrics')).body;
  }

  async stop(): Promise<void> {
    await this.indexer.app.close();
    await this.gateway.stop();
    await this.devnet.stop();
  }
}
