import { isRecord } from './is-record';

/** Configuration that the service gives its pages: the response of `/app/config.json`. */
export interface ServerConfig {
  /** Accounts with their posting keys, if the chain is a devnet: signing in needs no wallet. */
  devnetAccounts: readonly DevnetAccount[];
  /** Whether keys may be typed into the page. */
  isDevnet: boolean;
  /** Address of avatars with `{account}` for the name. Undefined: initials. */
  avatars: string | undefined;
}

export interface DevnetAccount {
  name: string;
  posting: string;
}

export const defaultServerConfig: ServerConfig = { devnetAccounts: [], isDevnet: false, avatars: undefined };

/** Reads the configuration of a service; the default one if the service has none. */
export async function fetchServerConfig(url: string): Promise<ServerConfig> {
  try {
    const response = await fetch(`${url}/app/config.json`, { credentials: 'omit' });
    return response.ok ? serverConfigOf(await response.json()) : defaultServerConfig;
  } catch {
    // Wallets work without it. If the service is down, the sign-in shows that.
    return defaultServerConfig;
  }
}

function serverConfigOf(value: unknown): ServerConfig {
  if (!isRecord(value)) return defaultServerConfig;
  const { devnet, accounts, avatars }: { devnet?: unknown; accounts?: unknown; avatars?: unknown } = value;
  const isDevnet = devnet === true;
  return {
    isDevnet,
    devnetAccounts: isDevnet && Array.isArray(accounts) ? accounts.filter(isDevnetAccount) : [],
    avatars: typeof avatars === 'string' && avatars.startsWith('https://') ? avatars : undefined,
  };
}

function isDevnetAccount(value: unknown): value is DevnetAccount {
  return isRecord(value) && typeof value['name'] === 'string' && typeof value['posting'] === 'string';
}
