import {
  Devnet,
  devnetKeys,
  includeSampleContent,
  recentGenesisTime,
  seedAccounts,
  sampleContentBlocks,
} from '@waggle/devnet';
import {
  migrateService,
  newTokenKey,
  type Running,
  type ServiceOptions,
  type ServiceProcess,
  startService,
} from '@waggle/running';
import { findFreePort, provideDatabase, startPostgres } from '@waggle/testing';

/** Signs the tokens of all instances of the chat, so that sessions survive a restart. */
const tokenPrivateKey = newTokenKey();

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

/** Delegator, delegatee and amount of each delegation, in order and `blocksBetween` blocks apart. */
const delegations = [
  ['alice', 'bob', '250000.000000 VESTS'],
  ['bob', 'dave', '5000.000000 VESTS'],
  ['carol', 'bob', '12345.678901 VESTS'],
  ['alice', 'bob', '150000.000000 VESTS'],
  ['bob', 'erin', '8000.000000 VESTS'],
] as const;
const blocksBetween = 20;

/** Makes a migrated database for a service. @returns its URL */
export type MakeDatabase = (service: string) => Promise<string>;

/** The services with pages, as they are deployed, on a development chain. */
export class WebStack {
  private constructor(
    private readonly running: Running,
    private readonly makeDatabase: MakeDatabase,
    readonly devnet: Devnet,
    readonly chatDatabaseUrl: string,
    private readonly chatPort: number,
  ) {}

  /** @param makeDatabase by default in a PostgreSQL of its own */
  static async start(running: Running, makeDatabase?: MakeDatabase): Promise<WebStack> {
    const make = makeDatabase ?? (await ownDatabases(running));
    const blocks = sampleContentBlocks + delegations.length * blocksBetween;
    const devnet = running.use(await Devnet.start({ genesisTime: recentGenesisTime(1, blocks) }));
    return new WebStack(running, make, devnet, await make('chat'), await findFreePort());
  }

  /** Starts an instance of the chat; after a kill, at the same port. @param options how */
  async startChat(
    settings: Record<string, string> = {},
    options: Pick<ServiceOptions, 'launch'> = {},
  ): Promise<ServiceProcess> {
    const environment = (url: string) => ({
      ...generous,
      BASE_URL: url,
      DATABASE_URL: this.chatDatabaseUrl,
      HIVE_API_NODES: this.devnet.url,
      TOKEN_PRIVATE_KEY: tokenPrivateKey,
      DEVNET_ACCOUNTS: seedAccounts.map((name) => `${name}=${devnetKeys(name).posting.wif}`).join(','),
      ...settings,
    });
    return await startService(this.running, 'chat', environment, { ...options, port: this.chatPort });
  }

  /** Writes delegations and social operations into the chain, for the indexers to find. */
  fillChain(): void {
    const { chain } = this.devnet;
    includeSampleContent(chain);
    for (const [delegator, delegatee, amount] of delegations) {
      const value = { delegator, delegatee, vesting_shares: amount };
      chain.include([['delegate_vesting_shares', value]], [devnetKeys(delegator).active.wif]);
      chain.produceBlocks(blocksBetween);
    }
  }

  /** Starts the indexer and the API of the delegation service. @returns the URL of the API */
  async startDelegation(): Promise<string> {
    const databaseUrl = await this.makeDatabase('delegation');
    const indexer = { DATABASE_URL: databaseUrl, HIVE_API_NODES: this.devnet.url, START_FROM: 'first-block' };
    await startService(this.running, 'delegation', () => indexer, { script: 'indexer.main' });
    const environment = { ...generous, DATABASE_URL: databaseUrl };
    return (await startService(this.running, 'delegation', () => environment)).url;
  }

  /** Starts the indexer and the API of the gateway. @returns the URL of the API */
  async startGateway(): Promise<string> {
    const databaseUrl = await this.makeDatabase('rpc-gateway');
    const environment = { DATABASE_URL: databaseUrl, HIVE_API_NODES: this.devnet.url };
    await startService(this.running, 'rpc-gateway', () => environment, { script: 'indexer.main' });
    return (await startService(this.running, 'rpc-gateway', () => environment)).url;
  }
}

async function ownDatabases(running: Running): Promise<MakeDatabase> {
  const postgres = running.use(await startPostgres({ dataDir: 'temporary' }));
  return async (service) => {
    const url = await provideDatabase(postgres, service);
    await migrateService(running, service, url);
    return url;
  };
}
