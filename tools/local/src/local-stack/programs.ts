import { devnetKeys, seedAccounts } from '@waggle/devnet';
import { fillChatDemo, PlainError } from '@waggle/running';
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

/** Values from which a program's environment is made. */
export interface ProgramContext {
  /** Its own base URL. */
  url: string;
  port: number;
  devnetUrl: string;
  /** URL of its database; empty for a program without one. */
  databaseUrl: string;
  tokenKeyFile: () => string;
}

/** A program of the local stack, and how to check that it is ready. */
export interface Program {
  name: string;
  port: PortSetting;
  /** Script, relative to the repository. */
  main: string;
  /** Script that runs before `main`, on the program's database. */
  migrate?: string;
  /** Its database, which the roles of a service share. A fresh one is empty at each start. */
  database?: { name: string; isFresh?: boolean };
  environment: (context: ProgramContext) => Record<string, string>;
  /** Whether its output is shown only if it fails. */
  isSilent: boolean;
  isReady: (url: string) => Promise<boolean>;
  /** Called when it is ready. */
  fill?: (url: string) => Promise<void>;
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

/** In the order in which they start; they stop in the opposite order. */
export const programs: Program[] = [
  {
    name: devnet,
    port: devnetPort,
    main: 'tools/local/dist/devnet.js',
    environment: ({ port }) => ({ [devnetPort.variable]: String(port) }),
    isSilent: true,
    isReady: isDevnetReady,
    describe: (url) => `${url}   a development chain, which is new at each start`,
  },
  {
    name: 'chat',
    port: chatPort,
    main: 'apps/chat/dist/main.js',
    migrate: 'apps/chat/dist/migrate.js',
    database: { name: 'chat' },
    environment: ({ url, devnetUrl, databaseUrl, tokenKeyFile }) => ({
      BASE_URL: url,
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      TOKEN_PRIVATE_KEY_FILE: tokenKeyFile(),
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
      DEVNET_ACCOUNTS: seedAccounts.map((name) => `${name}=${devnetKeys(name).posting.wif}`).join(','),
    }),
    isSilent: false,
    isReady: isServiceReady,
    fill: fillChatDemo,
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
    main: 'apps/delegation/dist/indexer.main.js',
    migrate: 'apps/delegation/dist/migrate.js',
    // The devnet starts a new chain, so the index starts empty.
    database: { name: 'delegation', isFresh: true },
    environment: ({ devnetUrl, databaseUrl }) => ({
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      START_FROM: 'first-block',
    }),
    isSilent: false,
    isReady: isServiceReady,
  },
  {
    name: 'delegation',
    port: delegationPort,
    main: 'apps/delegation/dist/main.js',
    database: { name: 'delegation' },
    environment: ({ url, databaseUrl }) => ({
      DATABASE_URL: databaseUrl,
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
    }),
    isSilent: false,
    isReady: isServiceReady,
    describe: (url) => `${url}   a page to explore delegations; API at ${url}/docs`,
    examples: (url) => [{ what: 'See who delegates to bob', lines: [`curl '${url}/api/deleg/in?account=bob'`] }],
  },
  {
    name: 'video-auth',
    port: videoAuthPort,
    main: 'apps/video-auth/dist/main.js',
    migrate: 'apps/video-auth/dist/migrate.js',
    database: { name: 'video-auth' },
    // Without token keys it makes one for this run, and logs that.
    environment: ({ url, devnetUrl, databaseUrl }) => ({
      BASE_URL: url,
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
    }),
    isSilent: false,
    isReady: isServiceReady,
    describe: (url) => `${url}   described at ${url}/api/v1/docs`,
    examples: (_url, urlOption) => [
      { what: 'Get a token of the video log-in', lines: [`npm run video-login -- --as alice${urlOption}`] },
    ],
  },
  {
    name: `rpc-gateway${indexer}`,
    port: gatewayIndexerPort,
    main: 'apps/rpc-gateway/dist/indexer.main.js',
    migrate: 'apps/rpc-gateway/dist/migrate.js',
    database: { name: 'rpc-gateway', isFresh: true },
    environment: ({ devnetUrl, databaseUrl }) => ({ HIVE_API_NODES: devnetUrl, DATABASE_URL: databaseUrl }),
    isSilent: false,
    isReady: isServiceReady,
  },
  {
    name: 'rpc-gateway',
    port: gatewayPort,
    main: 'apps/rpc-gateway/dist/main.js',
    database: { name: 'rpc-gateway' },
    environment: ({ url, devnetUrl, databaseUrl }) => ({
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
    }),
    isSilent: false,
    isReady: isServiceReady,
    describe: (url) => `${url}   JSON-RPC at ${url}/rpc and ${url}/rpc/home`,
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

const requestTimeoutMs = 2_000;

async function isServiceReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(requestTimeoutMs) });
  await response.arrayBuffer();
  return response.ok;
}

async function isDevnetReady(url: string): Promise<boolean> {
  const call = { jsonrpc: '2.0', method: 'condenser_api.get_dynamic_global_properties', params: [], id: 1 };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  await response.arrayBuffer();
  return response.ok;
}
