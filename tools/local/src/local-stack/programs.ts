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

/** What a program of the local stack is told when it starts. */
export interface Surroundings {
  /** Its own base URL. */
  url: string;
  port: number;
  devnetUrl: string;
  /** Of its own database; empty for a program without one. */
  databaseUrl: string;
  tokenKeyFile: () => string;
}

/** One row of the local stack: a program, and how to see that it is ready. */
export interface Program {
  name: string;
  port: PortSetting;
  /** Relative to the repository. */
  main: string;
  /** Run before `main`, on the program's database. */
  migrate?: string;
  /** The name of its database; roles of one service share theirs. A fresh one begins empty at each start. */
  database?: { name: string; isFresh?: boolean };
  environment: (surroundings: Surroundings) => Record<string, string>;
  /** Its output is told only when it fails: what it would say, we say. */
  isSilent: boolean;
  isReady: (url: string) => Promise<boolean>;
  /** Called once it is ready. */
  fill?: (url: string) => Promise<void>;
  /** The page that a new user opens. */
  page?: string;
  /** What to say of it once it is ready; nothing of what nobody calls. */
  describe?: (url: string) => string;
  /** What to try, in lines for a shell; `urlOption` is what a command of ours must be told where it is not at its usual port. */
  examples?: (url: string, urlOption: string) => Example[];
}

/** Commands to try. */
interface Example {
  what: string;
  lines: string[];
}

const devnet = 'devnet';
/** Behind the name of its service. */
const indexer = ' indexer';

/** In the order of starting; they are stopped in the opposite order. */
export const programs: Program[] = [
  {
    name: devnet,
    port: devnetPort,
    main: 'tools/local/dist/devnet.js',
    environment: ({ port }) => ({ [devnetPort.variable]: String(port) }),
    isSilent: true,
    isReady: answersCalls,
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
    isReady: saysReady,
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
    // The devnet's chain begins anew, and so does its index.
    database: { name: 'delegation', isFresh: true },
    environment: ({ devnetUrl, databaseUrl }) => ({
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      START_FROM: 'first-block',
    }),
    isSilent: false,
    isReady: saysReady,
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
    isReady: saysReady,
    describe: (url) => `${url}   a page to explore delegations; API at ${url}/docs`,
    examples: (url) => [{ what: 'See who delegates to bob', lines: [`curl '${url}/api/deleg/in?account=bob'`] }],
  },
  {
    name: 'video-auth',
    port: videoAuthPort,
    main: 'apps/video-auth/dist/main.js',
    migrate: 'apps/video-auth/dist/migrate.js',
    database: { name: 'video-auth' },
    // Without keys of its own: it makes one, and says that its tokens end with it.
    environment: ({ url, devnetUrl, databaseUrl }) => ({
      BASE_URL: url,
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
    }),
    isSilent: false,
    isReady: saysReady,
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
    isReady: saysReady,
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
    isReady: saysReady,
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
 * The devnet and these services with their indexers; all where none is named.
 *
 * @throws PlainError naming the services that there are
 */
export function programsOf(services: readonly string[]): Program[] {
  const known = programs.map(({ name }) => name).filter((name) => name !== devnet && !name.endsWith(indexer));
  const unknown = services.find((service) => !known.includes(service));
  if (unknown !== undefined) throw new PlainError(`There is no service ${unknown}; there are ${known.join(', ')}.`);
  const wanted = new Set([devnet, ...services, ...services.map((service) => service + indexer)]);
  return services.length === 0 ? programs : programs.filter(({ name }) => wanted.has(name));
}

/** How long one question may take, in milliseconds. */
const questionTimeoutMs = 2_000;

async function saysReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(questionTimeoutMs) });
  await response.arrayBuffer();
  return response.ok;
}

async function answersCalls(url: string): Promise<boolean> {
  const call = { jsonrpc: '2.0', method: 'condenser_api.get_dynamic_global_properties', params: [], id: 1 };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    signal: AbortSignal.timeout(questionTimeoutMs),
  });
  await response.arrayBuffer();
  return response.ok;
}
