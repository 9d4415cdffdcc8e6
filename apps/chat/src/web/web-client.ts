import path from 'node:path';
import { type HiveClient } from '@waggle/chain';
import { type Logger, pageHeaders, serveFiles } from '@waggle/service';
import { type FastifyInstance } from 'fastify';
import { type DevnetAccount, DevnetAccounts } from './devnet-accounts';

/** The files of `@waggle/chat-element`, which the build of this service copies. */
const builtFiles = path.resolve(__dirname, '../../dist/pages');

export interface WebClientSettings {
  /** Origins whose pages may frame the page. */
  readonly frameOrigins: string[];
  /** Origins that its sign-in methods call. */
  readonly connectOrigins: string[];
  /** A URL with `{account}` in it. */
  readonly avatars: string | undefined;
  readonly devnetAccounts: DevnetAccount[];
}

/** What the page at `/app/` has to know of the service: the response of `/app/config.json`. */
interface ClientConfig {
  devnet: boolean;
  /** Sign-in by one click. Only on a development chain. */
  accounts?: readonly DevnetAccount[];
  /** The URL of avatars, with `{account}` in it. Without it the page makes no request to another host. */
  avatars?: string;
}

/** Serves the web client at `/app/`, and the web component that other sites embed at `/element.js`. */
export function serveWebClient(
  fastify: FastifyInstance,
  webClient: WebClientSettings,
  hive: HiveClient,
  logger: Logger,
): void {
  const { frameOrigins, connectOrigins, avatars, devnetAccounts } = webClient;
  const headers = pageHeaders({
    frameOrigins,
    connectOrigins,
    imageOrigins: avatars === undefined ? [] : [new URL(avatars).origin],
  });
  // The module loads sign-in methods from /app/, also on pages of other origins.
  serveFiles(fastify, { url: '/app/', folder: path.join(builtFiles, 'app'), headers, isForAnyOrigin: true });
  serveFiles(fastify, { url: '/', folder: builtFiles, isRecursive: false, isForAnyOrigin: true });
  const devnet = new DevnetAccounts(devnetAccounts, hive, logger);
  fastify.get('/app/config.json', async (): Promise<ClientConfig> => {
    const accounts = await devnet.find();
    return {
      ...(accounts === undefined ? { devnet: false } : { devnet: true, accounts }),
      ...(avatars !== undefined && { avatars }),
    };
  });
}
