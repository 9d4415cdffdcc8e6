import path from 'node:path';
import { type HiveClient } from '@waggle/chain';
import { type Logger, pageHeaders, serveFiles } from '@waggle/service';
import { type FastifyInstance } from 'fastify';
import { type DevnetAccount, DevnetAccounts } from './devnet-accounts';

/** The files of `@waggle/chat-element`, which the build of this service copies. */
const builtFiles = path.resolve(__dirname, '../../dist/pages');

/** The settings of the web client. */
export interface WebClientSettings {
  /** Origins whose pages may frame the page. */
  readonly frameOrigins: string[];
  /** Origins that its sign-in methods call. */
  readonly connectOrigins: string[];
  readonly brand: WebClientBrand;
  /** The URL of an account's picture, with `{account}` in it; undefined to show none. */
  readonly avatars: string | undefined;
  /** The URL of an account's profile, with `{account}` in it. */
  readonly profiles: string;
  readonly attachmentHosts: readonly string[];
  /** The host that receives uploaded images; undefined if none does. */
  readonly imageHost: string | undefined;
  readonly devnetAccounts: DevnetAccount[];
  /** Whether the service finds messages. */
  readonly search: boolean;
}

/** What tells an operator's chat from others. */
interface WebClientBrand {
  readonly name: string | undefined;
  /** A URL. */
  readonly logo: string | undefined;
  /** A colour, as `#rrggbb`. */
  readonly accent: string | undefined;
}

/** What the page at `/app/` has to know of the service: the response of `/app/config.json`. */
interface ClientConfig {
  devnet: boolean;
  /** Sign-in by one click. Only on a development chain. */
  accounts?: readonly DevnetAccount[];
  /** Without the logo, the URL of avatars and hosts of attachments, the page makes no request to another host. */
  name?: string | undefined;
  logo?: string | undefined;
  accent?: string | undefined;
  avatars?: string | undefined;
  profiles?: string | undefined;
  attachment_hosts?: readonly string[];
  image_host?: string | undefined;
  search?: boolean;
}

/** Serves the web client at `/app/`, and the web component that other sites embed at `/element.js`. */
export function serveWebClient(
  fastify: FastifyInstance,
  webClient: WebClientSettings,
  hive: HiveClient,
  logger: Logger,
): void {
  const { frameOrigins, connectOrigins, brand, avatars, profiles, attachmentHosts, imageHost, devnetAccounts, search } =
    webClient;
  const originOf = (host: string) => `https://${host}`;
  const imageUrls = [avatars, brand.logo].filter((url) => url !== undefined);
  const imageOrigins = [...imageUrls.map((url) => new URL(url).origin), ...attachmentHosts.map(originOf)];
  const headers = pageHeaders({
    frameOrigins,
    connectOrigins: imageHost === undefined ? connectOrigins : [...connectOrigins, originOf(imageHost)],
    imageOrigins: [...new Set(imageOrigins)],
  });
  // The module loads sign-in methods from /app/, also on pages of other origins.
  serveFiles(fastify, { url: '/app/', folder: path.join(builtFiles, 'app'), headers, isForAnyOrigin: true });
  serveFiles(fastify, { url: '/', folder: builtFiles, isRecursive: false, isForAnyOrigin: true });
  const devnet = new DevnetAccounts(devnetAccounts, hive, logger);
  fastify.get('/app/config.json', async (): Promise<ClientConfig> => {
    const accounts = await devnet.find();
    const devnetConfig = accounts === undefined ? { devnet: false } : { devnet: true, accounts };
    const attachments = { attachment_hosts: attachmentHosts, image_host: imageHost };
    return { ...devnetConfig, ...brand, avatars, profiles, ...attachments, search };
  });
}
