import { devnetKeys, seedAccounts } from '@waggle/devnet';
import { fillChatDemo, PlainError, type ServiceOptions } from '@waggle/running';
import {
  chatPort,
  delegationIndexerPort,
  delegationPort,
  devnetPort,
  gatewayIndexerPort,
  gatewayPort,
  type PortSetting,
  videoAuthPort,
} from '../ports';

/** Values for a program's environment. */
export interface ProgramContext {
  /** Its own base URL. */
  url: string;
  /** The URLs of the devnet's nodes, separated by commas. */
  hiveNodes: string;
  /** URL of its database. */
  databaseUrl: string;
  tokenKeyFile: () => string;
}

/** A program of the local stack: a service, or its indexer. */
export interface Program {
  name: string;
  port: PortSetting;
  /** How to run it; the devnet is started in its own way. */
  service?: {
    /** Its folder in `apps`. */
    app: string;
    script?: ServiceOptions['script'];
    /** Whether it runs the migrations of its database, which the processes of a service share. */
    migrates?: boolean;
    /** Whether its database is empty at each start. */
    isFresh?: boolean;
    /** Settings that the user cannot change. */
    environment: (context: ProgramContext) => Record<string, string>;
    /** Called when it is ready. */
    fill?: (url: string) => Promise<void>;
  };
  /** The page that a new user opens. */
  page?: string;
  /** The line about it that is printed when it is ready; none for indexers. */
  describe?: (url: string) => string;
  /** Commands to try. `urlOption` is the option that our commands need if the program has another port than usual. */
  examples?: (url: string, urlOption: string) => Example[];
}

interface Example {
  what: string;
  lines: string[];
}

const devnet = 'devnet';
/** Follows the name of the service. */
const indexer = ' indexer';

/** In the order of their start; they stop in the opposite order. */
export const programs: Program[] = [
  {
    name: devnet,
    port: devnetPort,
    describe: (url) => `${url}   a development chain, new at each start; a second node has the next port`,
  },
  {
    name: 'chat',
    port: chatPort,
    service: {
      app: 'chat',
      migrates: true,
      environment: ({ url, hiveNodes, databaseUrl, tokenKeyFile }) => ({
        BASE_URL: url,
        HIVE_API_NODES: hiveNodes,
        DATABASE_URL: databaseUrl,
        TOKEN_PRIVATE_KEY_FILE: tokenKeyFile(),
        DEVNET_ACCOUNTS: seedAccounts.map((name) => `${name}=${devnetKeys(name).posting.wif}`).join(','),
      }),
      fill: fillChatDemo,
    },
    page: '/app/',
    describe: (url) => `${url}   WebSocket ${url.replace('http', 'ws')}/ws`,
    examples: (_url, urlOption) => [
      {
        what: 'Chat at once, in two more terminals',
        lines: ['alice', 'bob'].map((name) => `npm run chat -- --as ${name}${urlOption}`),
      },
    ],
  },
  {
    name: `delegation${indexer}`,
    port: delegationIndexerPort,
    service: {
      app: 'delegation',
      script: 'indexer.main',
      migrates: true,
      // The devnet starts a new chain, so the index starts empty.
      isFresh: true,
      environment: ({ hiveNodes, databaseUrl }) => ({
        HIVE_API_NODES: hiveNodes,
        DATABASE_URL: databaseUrl,
        START_FROM: 'first-block',
      }),
    },
  },
  {
    name: 'delegation',
    port: delegationPort,
    service: {
      app: 'delegation',
      environment: ({ databaseUrl }) => ({ DATABASE_URL: databaseUrl }),
    },
    describe: (url) => `${url}   a page to explore delegations; API at ${url}/docs`,
    examples: (url) => [{ what: 'See who delegates to bob', lines: [`curl '${url}/api/deleg/in?account=bob'`] }],
  },
  {
    name: 'video-auth',
    port: videoAuthPort,
    service: {
      app: 'video-auth',
      migrates: true,
      // Without token keys it makes one for this run, and logs that.
      environment: ({ url, hiveNodes, databaseUrl }) => ({
        BASE_URL: url,
        HIVE_API_NODES: hiveNodes,
        DATABASE_URL: databaseUrl,
      }),
    },
    describe: (url) => `${url}   described at ${url}/api/v1/docs`,
    examples: (_url, urlOption) => [
      { what: 'Get a token of the video log-in', lines: [`npm run video-login -- --as alice${urlOption}`] },
    ],
  },
  {
    name: `rpc-gateway${indexer}`,
    port: gatewayIndexerPort,
    service: {
      app: 'rpc-gateway',
      script: 'indexer.main',
      migrates: true,
      isFresh: true,
      environment: ({ hiveNodes, databaseUrl }) => ({ HIVE_API_NODES: hiveNodes, DATABASE_URL: databaseUrl }),
    },
  },
  {
    name: 'rpc-gateway',
    port: gatewayPort,
    service: {
      app: 'rpc-gateway',
      environment: ({ hiveNodes, databaseUrl }) => ({ HIVE_API_NODES: hiveNodes, DATABASE_URL: databaseUrl }),
    },
    describe: (url) => `${url}   a page about its state; JSON-RPC at ${url}/rpc and ${url}/rpc/home`,
    examples: (url) => [
      {
        what: "Read alice's notifications",
        lines: [`curl '${url}/rpc' -d '${JSON.stringify(notificationsOfAlice)}'`],
      },
      { what: 'See new ones arrive, one in 15 seconds', lines: [`curl -N '${url}/events?accounts=alice'`] },
    ],
  },
];

const notificationsOfAlice = {
  jsonrpc: '2.0',
  id: 1,
  method: 'bridge.account_notifications',
  params: { account: 'alice' },
};

/**
 * Returns the devnet and the named services with their indexers; all if none is named.
 *
 * @throws PlainError listing the services, if one does not exist
 */
export function programsOf(services: readonly string[]): Program[] {
  const known = programs.map(({ name }) => name).filter((name) => name !== devnet && !name.endsWith(indexer));
  const unknown = services.find((service) => !known.includes(service));
  if (unknown !== undefined) throw new PlainError(`There is no service ${unknown}; there are ${known.join(', ')}.`);
  const wanted = new Set([devnet, ...services, ...services.map((service) => service + indexer)]);
  return services.length === 0 ? programs : programs.filter(({ name }) => wanted.has(name));
}
