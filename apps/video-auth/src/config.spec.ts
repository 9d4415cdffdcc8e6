import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError } from '@waggle/service';
import { exampleSettings } from '@waggle/testing';
import { readConfig, videoAuthEnvironment } from './config';
import { newKeyDocument } from './tokens/key-document';

const needed = { DATABASE_URL: 'postgres://localhost/video-auth', HIVE_API_NODES: 'https://node.example' };

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
    throw error;
  }
  return [];
}

describe('the configuration of the video log-in', () => {
  it('has the documented defaults', () => {
    expect(readConfig(needed)).toMatchObject({
      http: { port: 3_002, corsOrigins: [], trustedProxies: [] },
      redis: undefined,
      hive: { authorityCacheMs: 60_000, trustedAccounts: [] },
      tokens: { keys: undefined, lifetimeMs: 7 * 24 * 60 * 60_000 },
      login: { maxAgeMs: 300_000, maxAheadMs: 60_000 },
      challenges: { domain: 'localhost:3002', required: false },
      keyChecks: { confirmationMs: 300_000, graceMs: 3_600_000 },
      rateLimits: { periodSeconds: 60, logins: 60, accountLogins: 10, checks: 60_000, requests: 1_200 },
    });
  });

  it('rejects rate limits of 0', () => {
    const names = Object.keys(videoAuthEnvironment.shape).filter((name) => name.includes('_PER_'));
    expect(errorsOf({ ...needed, ...Object.fromEntries(names.map((name) => [name, '0'])) })).toEqual(
      names.map((name) => `${name}: must be at least 1`),
    );
    expect(names).toHaveLength(5);
  });

  it('takes the domain of challenges from the base URL', () => {
    expect(readConfig({ ...needed, BASE_URL: 'https://video.example/base' }).challenges.domain).toBe('video.example');
  });

  it('requires challenges only for the exact value', () => {
    expect(readConfig({ ...needed, REQUIRE_CHALLENGE: 'true' }).challenges.required).toBe(true);
    expect(errorsOf({ ...needed, REQUIRE_CHALLENGE: 'on' })).toHaveLength(1);
  });

  it('reports every error', () => {
    const errors = errorsOf({ DATABASE_URL: 'mysql://x', TRUSTED_ACCOUNTS: 'alice, Not A Name', TOKEN_SECONDS: '0' });
    expect(errors.map((error) => error.split(':')[0])).toEqual([
      'DATABASE_URL',
      'HIVE_API_NODES',
      'TRUSTED_ACCOUNTS.1',
      'TOKEN_SECONDS',
    ]);
  });

  describe('the keys that sign tokens', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-config-'));
    const file = path.join(folder, 'token-keys.json');
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
    const text = JSON.stringify(newKeyDocument(new Date()));

    it('are read from a variable or from a file, which is reloaded', () => {
      writeFileSync(file, text);
      expect(readConfig({ ...needed, TOKEN_KEYS: text }).tokens.keys).toEqual({ text });
      expect(readConfig({ ...needed, TOKEN_KEYS_FILE: file }).tokens.keys).toEqual({ file, reloadMs: 10_000 });
    });

    it('are not read from both', () => {
      writeFileSync(file, text);
      expect(errorsOf({ ...needed, TOKEN_KEYS: text, TOKEN_KEYS_FILE: file })).toEqual([
        'TOKEN_KEYS: must not be set beside TOKEN_KEYS_FILE',
      ]);
    });

    it('are reported with other errors, and not quoted, if they are invalid', () => {
      writeFileSync(file, 's3cret');
      expect(errorsOf({ ...needed, PORT: 'http', TOKEN_KEYS: 's3cret' })).toEqual([
        'PORT: must be a whole number',
        'TOKEN_KEYS: must be a set of token keys, as `keys.main.js make` writes it',
      ]);
      expect(errorsOf({ ...needed, TOKEN_KEYS_FILE: file })).toEqual([
        'TOKEN_KEYS_FILE: must name a file with a set of token keys, as `keys.main.js make` writes it',
      ]);
      expect(errorsOf({ ...needed, TOKEN_KEYS_FILE: path.join(folder, 'none') })).toEqual([
        'TOKEN_KEYS_FILE: must name a readable file',
      ]);
    });
  });

  describe('.env.example', () => {
    const { names, set, commentedOut } = exampleSettings('video-auth');

    it('contains every variable once', () => {
      expect(names).toEqual(Object.keys(videoAuthEnvironment.shape).sort());
    });

    it('is valid except for the file that it names', () => {
      expect(errorsOf(set)).toEqual(['TOKEN_KEYS_FILE: must name a readable file']);
    });

    it('shows the defaults', () => {
      expect(readConfig({ ...needed, ...commentedOut })).toEqual(readConfig(needed));
    });
  });
});
