import { fillDelegations, fillNotifications, newTokenKey } from '@waggle/running';
import { type Size } from './size';
import { type ServiceName } from './services';

/** The servers that services use. */
export interface Backends {
  redisUrl: string;
  devnetUrl: string;
  /** A node with responses of 600 KB. */
  largeNodeUrl: string;
}

/** How a service is started with its default limits. */
interface Definition {
  environment: (backends: Backends, url: string) => Record<string, string>;
  /** Fills its database with what honest clients read. */
  fill?: (databaseUrl: string, size: Size) => Promise<void>;
}

/** The same for all starts of the chat in one run, so that tokens stay valid. */
const tokenKey = newTokenKey();

export const definitions: Record<ServiceName, Definition> = {
  chat: {
    environment: ({ redisUrl, devnetUrl }, url) => ({
      BASE_URL: url,
      REDIS_URL: redisUrl,
      HIVE_API_NODES: devnetUrl,
      TOKEN_PRIVATE_KEY: tokenKey,
      // Warnings are logged as in production.
      LOG_LEVEL: 'warn',
      // Longer than any run, so that no client has to renew its session. It is no limit of resources.
      ACCESS_TOKEN_SECONDS: '86400',
    }),
  },
  delegation: {
    environment: () => ({}),
    // The list of one account as CSV is longer than the kernel's buffers of a connection. In a short form it has all
    // delegations.
    fill: (databaseUrl, { isQuick }) =>
      fillDelegations(
        databaseUrl,
        isQuick
          ? { delegations: 120_000, delegationsOfOne: 120_000, hasHistory: false }
          : { delegations: 300_000, delegationsOfOne: 150_000 },
      ),
  },
  'rpc-gateway': {
    environment: ({ redisUrl, largeNodeUrl }) => ({
      REDIS_URL: redisUrl,
      HIVE_API_NODES: largeNodeUrl,
      // Higher than the default, so that the limits in bytes are reached too.
      CALLS_AT_ONCE: '256',
    }),
    fill: (databaseUrl) => fillNotifications(databaseUrl, { accounts: 50, notificationsOfEach: 200 }),
  },
  'video-auth': {
    environment: ({ redisUrl, devnetUrl }, url) => ({ BASE_URL: url, REDIS_URL: redisUrl, HIVE_API_NODES: devnetUrl }),
  },
};
