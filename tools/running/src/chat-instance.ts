import { createHash, generateKeyPairSync } from 'node:crypto';
import { loginSession, type LoginSession } from '@waggle/contracts';
import { waitLimitMs } from '@waggle/testing';
import { devnetKeys, signDigest } from '@waggle/devnet';
import { type Running } from './running';
import { type ServiceOptions, type ServiceProcess, startService } from './service-process';

/** The settings that all instances of a chat share. */
export interface SharedChatSettings {
  databaseUrl: string;
  redisUrl: string;
  devnetUrl: string;
  tokenPrivateKey: string;
  /** Other settings by name. */
  others?: Readonly<Record<string, string>> | undefined;
}

/** Creates a private ES256 key in PEM for signing tokens. */
export function newTokenKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

/** The production defaults without limits per address or account. */
const settings = {
  // Longer than any run, so that tokens need no renewal.
  ACCESS_TOKEN_SECONDS: '86400',
  // Ten thousand sockets that are opened at once delay each other.
  AUTHENTICATION_DEADLINE_SECONDS: '60',
  GROUP_MAX_MEMBERS: '10000',
  LOGINS_PER_MINUTE: '1000000',
  ACCOUNT_LOGINS_PER_MINUTE: '1000000',
  REQUESTS_PER_MINUTE: '1000000',
  RESPONSE_MEGABYTES_PER_MINUTE: '1000000',
  CONNECTIONS_PER_MINUTE: '1000000',
  CONNECTIONS_PER_ACCOUNT: '1000000',
  FRAMES_PER_SECOND: '1000000',
  FRAMES_BURST: '1000000',
};

/** Starts the chat as it is deployed, and waits until it is ready. */
export function startChat(
  running: Running,
  { databaseUrl, redisUrl, devnetUrl, tokenPrivateKey, others }: SharedChatSettings,
  options: ServiceOptions = {},
): Promise<ServiceProcess> {
  const environment = (url: string) => ({
    ...settings,
    BASE_URL: url,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HIVE_API_NODES: devnetUrl,
    TOKEN_PRIVATE_KEY: tokenPrivateKey,
    ...others,
  });
  return startService(running, 'chat', environment, options);
}

/** Logs in with the devnet's posting key of an account. @throws Error if the log-in is rejected */
export async function logIn(url: string, account: string): Promise<LoginSession> {
  const ts = String(Date.now());
  const sig = signAs(account, account + ts);
  const query = new URLSearchParams({ username: account, ts, sig });
  const { ok, body } = await get(`${url}/users/login?${query.toString()}`);
  if (!ok) throw new Error(`${account} cannot log in: ${body}`);
  return loginSession.parse(JSON.parse(body));
}

/** Signs a text with the devnet's posting key of an account. @returns 130 hex digits */
export function signAs(account: string, text: string): string {
  return signDigest(createHash('sha256').update(text).digest(), devnetKeys(account).posting.wif);
}

async function get(url: string): Promise<{ ok: boolean; body: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(waitLimitMs) });
  return { ok: response.ok, body: await response.text() };
}
