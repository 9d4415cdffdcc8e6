import { chatPort, devnetPort, videoAuthPort, type PortSetting } from '../ports';

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
  /** Run before `main`, on a database that the program alone uses. */
  migrate?: string;
  environment: (surroundings: Surroundings) => Record<string, string>;
  /** Its output is told only when it fails: what it would say, we say. */
  isSilent: boolean;
  isReady: (url: string) => Promise<boolean>;
  /** What to say of it once it is ready. */
  describe: (url: string) => string;
}

/** In the order of starting; they are stopped in the opposite order. */
export const programs: Program[] = [
  {
    name: 'devnet',
    port: devnetPort,
    main: 'tools/dist/devnet.js',
    environment: ({ port }) => ({ [devnetPort.variable]: String(port) }),
    isSilent: true,
    isReady: answersCalls,
    describe: (url) => `${url}   a small Hive chain, which begins anew at each start`,
  },
  {
    name: 'chat',
    port: chatPort,
    main: 'apps/chat/dist/main.js',
    migrate: 'apps/chat/dist/migrate.js',
    environment: ({ url, devnetUrl, databaseUrl, tokenKeyFile }) => ({
      BASE_URL: url,
      HIVE_API_NODES: devnetUrl,
      DATABASE_URL: databaseUrl,
      TOKEN_PRIVATE_KEY_FILE: tokenKeyFile(),
      CORS_ORIGINS: process.env['CORS_ORIGINS'] ?? url,
    }),
    isSilent: false,
    isReady: saysReady,
    describe: (url) => `${url}   WebSocket ${url.replace('http', 'ws')}/ws`,
  },
  {
    name: 'video-auth',
    port: videoAuthPort,
    main: 'apps/video-auth/dist/main.js',
    migrate: 'apps/video-auth/dist/migrate.js',
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
  },
];

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
