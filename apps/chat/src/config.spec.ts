import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError } from '@waggle/service';
import { chatEnvironment, readConfig } from './config';

const needed = { DATABASE_URL: 'postgres://localhost/chat', HIVE_API_NODES: 'https://node.example' };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  return [];
}

describe('the configuration of the chat', () => {
  it('has the defaults that the interface and the design name', () => {
    expect(readConfig(needed)).toMatchObject({
      http: { port: 3_000, corsOrigins: [], trustedProxies: [] },
      hive: { authorityCacheMs: 60_000, trustedAccounts: [] },
      cookies: { secure: true, sameSite: 'lax' },
      tokens: { accessMs: 15 * 60_000, refreshMs: 90 * 24 * 60 * 60_000 },
      login: { maxAgeMs: 300_000, maxAheadMs: 60_000, admins: [] },
      realtime: { authenticationDeadlineMs: 10_000, reauthenticationNoticeMs: 60_000 },
      limits: { messageCharacters: 4_000, nameCharacters: 64, groupMembers: 250, frameBytes: 65_536 },
    });
  });

  it('sends cookies without Secure only where the base URL is http', () => {
    expect(readConfig({ ...needed, BASE_URL: 'http://localhost:3000' }).cookies.secure).toBe(false);
    expect(readConfig({ ...needed, BASE_URL: 'https://chat.example' }).cookies.secure).toBe(true);
  });

  it('names every fault', () => {
    const faults = faultsOf({ DATABASE_URL: 'mysql://x', ADMINS: 'alice, Not A Name', COOKIE_SAME_SITE: 'maybe' });
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'HIVE_API_NODES', 'ADMINS.1', 'COOKIE_SAME_SITE']),
    );
  });

  it('is documented: .env.example names every variable and is itself valid', () => {
    const example = readFileSync(path.join(__dirname, '..', '.env.example'), 'utf8');
    const variables = [...example.matchAll(/^#?\s?([A-Z][A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    expect(variables.map(([name]) => name).sort()).toEqual(Object.keys(chatEnvironment.shape).sort());
    const set = Object.fromEntries(variables.filter(([name]) => name !== 'TOKEN_PRIVATE_KEY_FILE'));
    expect(faultsOf(set)).toEqual([]);
  });
});
