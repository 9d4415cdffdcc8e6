import { UnreachableError } from '@waggle/client/browser';
import { isRecord } from './browser-storage';

/** What the chat element needs to know about its service: the response of `/app/config.json`. */
export interface ServerConfig {
  /** Accounts of a devnet with their private posting keys: signing in needs no wallet. */
  devnetAccounts: readonly DevnetAccount[];
  /** Whether the service offers accounts of a devnet. Keys may then be typed in, too. */
  offersDevnetAccounts: boolean;
  /** The name of the chat, the HTTPS URL of its logo and its colour as `#rrggbb`, in place of Waggle's. */
  name: string;
  logo: string | undefined;
  accent: string | undefined;
  /** HTTPS URL of avatars, with `{account}` for the name. Without one, initials are shown. */
  avatars: string | undefined;
  /** HTTPS URL of profiles, with `{account}` for the name. */
  profiles: string;
  /** Hosts that images are loaded from, and the host that receives uploads, if any. */
  attachmentHosts: readonly string[];
  imageHost: string | undefined;
  /** Whether messages can be searched. */
  search: boolean;
}

export interface DevnetAccount {
  name: string;
  /** The private key in wallet import format. */
  posting: string;
}

export const defaultServerConfig: ServerConfig = {
  devnetAccounts: [],
  offersDevnetAccounts: false,
  name: 'Waggle',
  logo: undefined,
  accent: undefined,
  avatars: undefined,
  profiles: 'https://hive.blog/@{account}',
  attachmentHosts: [],
  imageHost: undefined,
  search: false,
};

const timeoutMs = 10_000;

/** Reads the configuration of a service. Returns the default one if the service has none. @throws UnreachableError */
export async function fetchServerConfig(url: string): Promise<ServerConfig> {
  const address = `${url}/app/config.json`;
  try {
    const response = await fetch(address, { credentials: 'omit', signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return serverConfigOf(await response.json().catch(() => undefined));
    if (response.status < 500) return defaultServerConfig;
  } catch (error) {
    throw new UnreachableError(`No response of ${address}`, { cause: error });
  }
  throw new UnreachableError(`No configuration at ${address}`);
}

function serverConfigOf(value: unknown): ServerConfig {
  if (!isRecord(value)) return defaultServerConfig;
  const {
    devnet,
    accounts,
    name,
    logo,
    accent,
    avatars,
    profiles,
    attachment_hosts,
    image_host,
    search,
  }: Record<string, unknown> = value;
  const offersDevnetAccounts = devnet === true;
  return {
    offersDevnetAccounts,
    devnetAccounts: offersDevnetAccounts && Array.isArray(accounts) ? accounts.filter(isDevnetAccount) : [],
    name: typeof name === 'string' ? name : defaultServerConfig.name,
    logo: httpsUrl(logo),
    accent: typeof accent === 'string' && /^#[0-9a-f]{6}$/i.test(accent) ? accent : undefined,
    avatars: httpsUrl(avatars),
    profiles: httpsUrl(profiles) ?? defaultServerConfig.profiles,
    attachmentHosts: Array.isArray(attachment_hosts) ? attachment_hosts.filter((host) => typeof host === 'string') : [],
    imageHost: typeof image_host === 'string' ? image_host : undefined,
    search: search === true,
  };
}

function httpsUrl(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith('https://') ? value : undefined;
}

function isDevnetAccount(value: unknown): value is DevnetAccount {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['posting'] === 'string';
}
