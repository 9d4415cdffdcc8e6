import { Devnet, devnetKeys, includeSociety, recentGenesisTime, seedAccounts, societyBlocks } from '@waggle/devnet';
import { migrateService, newTokenKey, type Running, type ServiceProcess, startService } from '@waggle/running';
import { findFreePort, type PostgresServer, provideDatabase, startPostgres } from '@waggle/testing';

/** No limit is reached: everything comes from one address. */
const generous = {
  LOGINS_PER_MINUTE: '1000000',
  ACCOUNT_LOGINS_PER_MINUTE: '1000000',
  REQUESTS_PER_MINUTE: '1000000',
  RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  CONNECTIONS_PER_MINUTE: '1000000',
  FRAMES_PER_SECOND: '1000000',
  FRAMES_BURST: '1000000',
};

/** Who delegates what in turn, with time between. */
const delegations = [
  ['alice', 'bob', '250000.000000 VESTS'],
  ['bob', 'dave', '5000.000000 VESTS'],
  ['carol', 'bob', '12345.678901 VESTS'],
  ['alice', 'bob', '150000.000000 VESTS'],
  ['bob', 'erin', '8000.000000 VESTS'],
] as const;
const blocksBetween = 200;

/** The services with pages, as they are deployed, on a development chain. */
export class WebStack {
  private constructor(
    private readonly running: Running,
    private readonly postgres: PostgresServer,
    readonly devnet: Devnet,
    private readonly chatPort: number,
  ) {}

  static async start(running: Running): Promise<WebStack> {
    const postgres = running.keep(await startPostgres({ dataDir: 'temporary' }));
    const blocks = societyBlocks + delegations.length * blocksBetween;
    const devnet = running.keep(await Devnet.start({ genesisTime: recentGenesisTime(1, blocks) }));
    includeSociety(devnet.chain);
    for (const [delegator, delegatee, amount] of delegations) {
      const value = { delegator, delegatee, vesting_shares: amount };
      devnet.chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
      devnet.chain.produceBlocks(blocksBetween);
    }
    await migrateService(running, 'chat', await provideDatabase(postgres, 'chat'));
    return new WebStack(running, postgres, devnet, await findFreePort());
  }

  get chatUrl(): string {
    return `http://127.0.0.1:${this.chatPort}`;
  }

  /** The URL of the chat's database. */
  chatDatabase(): Promise<string> {
    return provideDatabase(this.postgres, 'chat');
  }

  /** Starts an instance of the chat; after a kill, at the same port. */
  async startChat(): Promise<ServiceProcess> {
    const databaseUrl = await this.chatDatabase();
    const environment = (url: string) => ({
      ...generous,
      BASE_URL: url,
      DATABASE_URL: databaseUrl,
      HIVE_API_NODES: this.devnet.url,
      TOKEN_PRIVATE_KEY: tokenPrivateKey,
      DEVNET_ACCOUNTS: seedAccounts.map((name) => `${name}=${devnetKeys(name).posting.wif}`).join(','),
    });
    return await startService(this.running, 'chat', environment, { port: this.chatPort });
  }

  /** Starts the indexer and the API of the delegation service. @returns the URL of the API */
  async startDelegation(): Promise<string> {
    const databaseUrl = await provideDatabase(this.postgres, 'delegation');
    await migrateService(this.running, 'delegation', databaseUrl);
    const indexer = { DATABASE_URL: databaseUrl, HIVE_API_NODES: this.devnet.url, START_FROM: 'first-block' };
    await startService(this.running, 'delegation', () => indexer, { script: 'indexer.main' });
    const environment = { ...generous, DATABASE_URL: databaseUrl };
    return (await startService(this.running, 'delegation', () => environment)).url;
  }

  /** Starts the indexer and the API of the gateway. @returns the URL of the API */
  async startGateway(): Promise<string> {
    const databaseUrl = await provideDatabase(this.postgres, 'rpc-gateway');
    await migrateService(this.running, 'rpc-gateway', databaseUrl);
    const environment = { DATABASE_URL: databaseUrl, HIVE_API_NODES: this.devnet.url };
    await startService(this.running, 'rpc-gateway', () => environment, { script: 'indexer.main' });
    return (await startService(this.running, 'rpc-gateway', () => environment)).url;
  }
}

const tokenPrivateKey = newTokenKey();
