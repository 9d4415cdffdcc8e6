import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { videoLogin } from '@waggle/contracts';
import { type Devnet } from '@waggle/devnet';
import {
  logIn,
  migrateService,
  newTokenKey,
  OwnProcess,
  type Running,
  signedLogins,
  startChat,
  startIndexer,
  startService,
} from '@waggle/running';
import { type PostgresServer, provideDatabase, type RedisServer } from '@waggle/testing';
import { Replicas } from './replicas';
import { type RepeatedRequest } from './request-load';

/** A service exits within 35 s after the drain delay. */
const stopTimeoutMs = 45_000;

const unlimited = '1000000000';

export interface Infrastructure {
  running: Running;
  postgres: PostgresServer;
  redis: RedisServer;
  devnet: Devnet;
}

export interface Size {
  instances: number;
  /** How long an instance continues to serve after SIGTERM. */
  drainDelaySeconds: number;
}

export interface Deployment {
  replicas: Replicas;
  requests: readonly RepeatedRequest[];
  indexer?: OwnProcess;
  databaseUrl: string;
}

type Deploy = (infrastructure: Infrastructure, size: Size) => Promise<Deployment>;

const deployChat: Deploy = async ({ running, postgres, redis, devnet }, { instances, drainDelaySeconds }) => {
  const databaseUrl = await provideDatabase(postgres, 'chat');
  await migrateService(running, 'chat', databaseUrl);
  const environment = {
    databaseUrl,
    redisUrl: redis.url,
    devnetUrl: devnet.url,
    tokenPrivateKey: newTokenKey(),
  };
  const replicas = await Replicas.start(running, 'chat', instances, () =>
    startChat(running, environment, { stopTimeoutMs, drainDelaySeconds }),
  );
  const { token } = await logIn(replicas.url, 'alice');
  const authorization = `Bearer ${token}`;
  return {
    replicas,
    databaseUrl,
    requests: [
      { method: 'GET', path: '/users/friends', authorization, isCorrect: (text) => text.includes('"friends":[]') },
      { method: 'GET', path: '/messages/new', authorization, isCorrect: (text) => text.startsWith('[') },
    ],
  };
};

const deployDelegation: Deploy = async ({ running, postgres, devnet }, { instances, drainDelaySeconds }) => {
  const databaseUrl = await provideDatabase(postgres, 'delegation');
  await migrateService(running, 'delegation', databaseUrl);
  const chain = { HIVE_API_NODES: devnet.url, DATABASE_URL: databaseUrl, START_FROM: 'first-block' };
  const indexer = await startIndexer(running, 'delegation', chain, { stopTimeoutMs });
  const settings = {
    DATABASE_URL: databaseUrl,
    REQUESTS_PER_MINUTE: unlimited,
    RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  };
  const replicas = await Replicas.start(running, 'delegation', instances, () =>
    startService(running, 'delegation', () => settings, { stopTimeoutMs, drainDelaySeconds }),
  );
  return {
    replicas,
    indexer,
    databaseUrl,
    requests: [
      { method: 'GET', path: '/api/deleg/in?account=bob', isCorrect: (text) => text.includes('"delegator":"alice"') },
      { method: 'GET', path: '/api/deleg/account?account=alice', isCorrect: (text) => text.includes('"out":3000') },
    ],
  };
};

const deployVideoAuth: Deploy = async ({ running, postgres, redis, devnet }, { instances, drainDelaySeconds }) => {
  const databaseUrl = await provideDatabase(postgres, 'video-auth');
  await migrateService(running, 'video-auth', databaseUrl);
  const settings = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    HIVE_API_NODES: devnet.url,
    TOKEN_KEYS: await newTokenKeys(running),
    REQUESTS_PER_MINUTE: unlimited,
    RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  };
  const replicas = await Replicas.start(running, 'video-auth', instances, () =>
    startService(running, 'video-auth', (url) => ({ ...settings, BASE_URL: url }), {
      stopTimeoutMs,
      drainDelaySeconds,
    }),
  );
  const response = await fetch(`${replicas.url}/api/v1/auth/login_singleton`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: signedLogins(['alice'], 1).join(),
  });
  const authorization = `Bearer ${videoLogin.parse(await response.json()).access_token}`;
  return {
    replicas,
    databaseUrl,
    requests: [
      { method: 'GET', path: '/api/v1/auth/sessions', authorization, isCorrect: (text) => text.includes('"id":') },
      { method: 'GET', path: '/.well-known/jwks.json', isCorrect: (text) => text.includes('"kid":') },
    ],
  };
};

const deployGateway: Deploy = async ({ running, postgres, redis, devnet }, { instances, drainDelaySeconds }) => {
  const databaseUrl = await provideDatabase(postgres, 'rpc-gateway');
  await migrateService(running, 'rpc-gateway', databaseUrl);
  const chain = { HIVE_API_NODES: devnet.url, DATABASE_URL: databaseUrl };
  const indexer = await startIndexer(running, 'rpc-gateway', chain, { stopTimeoutMs });
  const settings = {
    ...chain,
    REDIS_URL: redis.url,
    CALLS_PER_MINUTE: unlimited,
    CALLS_AT_ONCE: unlimited,
    REQUESTS_PER_MINUTE: unlimited,
    RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  };
  const replicas = await Replicas.start(running, 'rpc-gateway', instances, () =>
    startService(running, 'rpc-gateway', () => settings, { stopTimeoutMs, drainDelaySeconds }),
  );
  const call = (method: string, params: unknown, isCorrect: (text: string) => boolean): RepeatedRequest => ({
    method: 'POST',
    path: '/rpc',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    isCorrect,
  });
  return {
    replicas,
    indexer,
    databaseUrl,
    requests: [
      call('bridge.account_notifications', { account: 'alice', min_score: 0 }, (text) => text.includes('followed you')),
      call('condenser_api.get_dynamic_global_properties', [], (text) => text.includes('head_block_number')),
    ],
  };
};

/** Migrates a database and starts the instances of a service, and its indexer if it has one. */
export const deploy = {
  chat: deployChat,
  delegation: deployDelegation,
  'video-auth': deployVideoAuth,
  'rpc-gateway': deployGateway,
} as const satisfies Record<string, Deploy>;

export type Service = keyof typeof deploy;

/** Creates keys with the service's command, as an operator does. */
async function newTokenKeys(running: Running): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-keys-'));
  try {
    const file = path.join(folder, 'token-keys.json');
    const script = 'apps/video-auth/dist/keys.main.js';
    const command = { name: 'key command', script, scriptArguments: ['make', file] };
    await (await OwnProcess.start(running, command)).finished();
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
