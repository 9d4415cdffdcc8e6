import { fillDelegations, fillNotifications, newTokenKey } from '@waggle/running';
import { type Size } from '../attack';
import { type ServiceName } from './services';

/** What all services stand on. */
export interface Ground {
  redisUrl: string;
  devnetUrl: string;
  /** A node that answers with 600 KB. */
  largeNodeUrl: string;
}

/** How a service is started with its default limits. */
interface Definition {
  environment: (ground: Ground, url: string) => Record<string, string>;
  /** Fills its database with what honest clients ask for. */
  fill?: (databaseUrl: string, size: Size) => Promise<void>;
}

/** All starts of the chat in one run: tokens stay good. */
const tokenKey = newTokenKey();

export const definitions: Record<ServiceName, Definition> = {
  chat: {
    environment: ({ redisUrl, devnetUrl }, url) => ({
      BASE_URL: url,
      REDIS_URL: redisUrl,
      HIVE_API_NODES: devnetUrl,
      TOKEN_PRIVATE_KEY: tokenKey,
      // Longer than any run: honest clients and attackers need not renew. It bounds nothing.
      ACCESS_TOKEN_SECONDS: '86400',
    }),
  },
  delegation: {
    environment: () => ({}),
    // The list of one account as CSV is longer than what the system holds for a connection.
    fill: (databaseUrl, { isQuick }) =>
      fillDelegations(
        databaseUrl,
        isQuick
          ? { delegations: 200_000, delegationsOfOne: 100_000 }
          : { delegations: 300_000, delegationsOfOne: 150_000 },
      ),
  },
  'rpc-gateway': {
    environment: ({ redisUrl, largeNodeUrl }) => ({ REDIS_URL: redisUrl, HIVE_API_NODES: largeNodeUrl }),
    fill: (databaseUrl) => fillNotifications(databaseUrl, { accounts: 50, notificationsOfEach: 200 }),
  },
  'video-auth': {
    environment: ({ redisUrl, devnetUrl }, url) => ({ BASE_URL: url, REDIS_URL: redisUrl, HIVE_API_NODES: devnetUrl }),
  },
};
