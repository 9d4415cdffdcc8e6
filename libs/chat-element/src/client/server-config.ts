import { isRecord } from './is-record';

/** What the chat element needs to know about its service: the response of `/app/config.json`. */
export interface ServerConfig {
  /** Accounts of a devnet with their private posting keys: signing in needs no wallet. */
  devnetAccounts: readonly DevnetAccount[];
  /** Whether the service offers accounts of a devnet. Keys may then be typed in, too. */
  offersDevnetAccounts: boolean;
  /** HTTPS URL of avatars, with `{account}` for the name. Without one, initials are shown. */
  avatars: string | undefined;
}

export interface DevnetAccount {
  name: string;
  /** The private key in wallet import format. */
  posting: string;
}

export const defaultServerConfig: ServerConfig = {
  devnetAccounts: [],
  offersDevnetAccounts: false,
  avatars: undefined,
};

/** Reads the configuration of a service. Returns the default one if the request fails, or the service has none. */
export async function fetchServerConfig(url: string): Promise<ServerConfig> {
  try {
    const response = await fetch(`${url}/app/config.json`, { credentials: 'omit' });
    return response.ok ? serverConfigOf(await response.json()) : defaultServerConfig;
  } catch {
    // Signing in with a wallet needs no configuration. If the service is down, signing in reports it.
    return defaultServerConfig;
  }
}

function serverConfigOf(value: unknown): ServerConfig {
  if (!isRecord(value)) return defaultServerConfig;
  const { devnet, accounts, avatars }: { devnet?: unknown; accounts?: unknown; avatars?: unknown } = value;
  const offersDevnetAccounts = devnet === true;
  return {
    offersDevnetAccounts,
    devnetAccounts: offersDevnetAccounts && Array.isArray(accounts) ? accounts.filter(isDevnetAccount) : [],
    avatars: typeof avatars === 'string' && avatars.startsWith('https://') ? avatars : undefined,
  };
}

function isDevnetAccount(value: unknown): value is DevnetAccount {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['posting'] === 'string';
}
