import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ConfigurationError } from '@waggle/service';
import { exampleSettings } from '@waggle/testing';
import { chatEnvironment, readConfig } from './config';
import { defaultSlowClientLimits } from './realtime/slow-client-limits';

const needed = { DATABASE_URL: 'postgres://localhost/chat', HIVE_API_NODES: 'https://node.example' };

function errorsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.errors;
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
      login: { maxAgeMs: 300_000, maxAheadMs: 60_000 },
      admins: [],
      realtime: {
        authenticationDeadlineMs: 10_000,
        reauthenticationNoticeMs: 60_000,
        slowClients: defaultSlowClientLimits,
      },
      limits: { messageCharacters: 4_000, nameCharacters: 64, groupMembers: 250, frameBytes: 65_536 },
      rateLimits: { periodSeconds: 60, logins: 60, accountLogins: 10, requests: 1_200, connections: 120 },
      accountLimits: { connections: 100, frames: { perSecond: 100, burst: 500 } },
    });
  });

  it('takes the maximum of members from GROUP_MAX_MEMBERS', () => {
    expect(readConfig({ ...needed, GROUP_MAX_MEMBERS: '3' }).limits.groupMembers).toBe(3);
  });

  it('rejects rate limits of zero', () => {
    const names = Object.keys(chatEnvironment.shape).filter((name) => /_PER_|BURST/.test(name));
    expect(errorsOf({ ...needed, ...Object.fromEntries(names.map((name) => [name, '0'])) })).toEqual(
      names.map((name) => `${name}: must be at least 1`),
    );
    expect(names).toHaveLength(8);
  });

  it('sends cookies without Secure only if the base URL is http', () => {
    expect(readConfig({ ...needed, BASE_URL: 'http://localhost:3000' }).cookies.secure).toBe(false);
    expect(readConfig({ ...needed, BASE_URL: 'https://chat.example' }).cookies.secure).toBe(true);
  });

  it.each([
    '127.0.0.1',
    '10.0.0.1:8080',
    '[::1]',
    '2130706433',
    '0x7f.1',
    'localhost',
    'files.localhost',
    'nas.local',
    'db.internal',
    'https://images.example',
    'images.example/path',
    'bob@images.example',
    'images.example:443',
    'images.example:99999',
    'IMAGES.example',
    '*.example',
  ])('allows no attachments on %s', (host) => {
    expect(errorsOf({ ...needed, ATTACHMENT_HOSTS: host })).toHaveLength(1);
  });

  it('uploads images only to a host of attachments', () => {
    const settings = { ...needed, ATTACHMENT_HOSTS: 'images.example, files.example:8443' };
    expect(readConfig(settings).messages.attachmentHosts).toEqual(['images.example', 'files.example:8443']);
    const { webClient } = readConfig({ ...settings, WEB_CLIENT_IMAGE_HOST: 'images.example' });
    expect(webClient?.imageHost).toBe('images.example');
    expect(errorsOf({ ...settings, WEB_CLIENT_IMAGE_HOST: 'other.example' })).toEqual([
      'WEB_CLIENT_IMAGE_HOST: must be one of ATTACHMENT_HOSTS',
    ]);
  });

  it('reports every error', () => {
    const errors = errorsOf({ DATABASE_URL: 'mysql://x', ADMINS: 'alice, Not A Name', COOKIE_SAME_SITE: 'maybe' });
    expect(errors.map((error) => error.split(':')[0])).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'HIVE_API_NODES', 'ADMINS.1', 'COOKIE_SAME_SITE']),
    );
  });

  it('reports errors of combinations of variables with those of single ones', () => {
    const environment = { BASE_URL: 'http://localhost:3000', COOKIE_SAME_SITE: 'none', PORT: 'http' };
    expect(errorsOf({ ...needed, ...environment })).toEqual([
      'PORT: must be a whole number',
      expect.stringMatching(/^COOKIE_SAME_SITE: must not be none unless BASE_URL is https/),
    ]);
    expect(errorsOf({ ...needed, ...environment, PORT: '', BASE_URL: 'https://chat.example' })).toEqual([]);
    expect(errorsOf({ ...needed, ...environment, PORT: '', BASE_URL: '' })).toEqual([]);
  });

  it('rejects an origin that is allowed both cookies and Bearer tokens only', () => {
    const both = { BEARER_ORIGINS: 'https://one.example', CORS_ORIGINS: 'https://one.example' };
    const own = { BEARER_ORIGINS: 'https://one.example', BASE_URL: 'https://one.example/chat' };
    for (const environment of [both, own]) {
      expect(errorsOf({ ...needed, ...environment })).toEqual([
        expect.stringMatching(/^BEARER_ORIGINS: must not list/),
      ]);
    }
    expect(errorsOf({ ...needed, ...both, CORS_ORIGINS: 'https://two.example' })).toEqual([]);
  });

  it('rejects avatars whose host depends on the account, since the page could not be allowed to load them', () => {
    const avatars = (url: string) => errorsOf({ ...needed, WEB_CLIENT_AVATARS: url });
    expect(avatars('https://images.example/u/{account}/avatar')).toEqual([]);
    expect(avatars('https://{account}.images.example/avatar')).toEqual([
      'WEB_CLIENT_AVATARS: must have {account} after the host, which the page allows images of',
    ]);
  });

  it('limits timeouts to the maximum of a timer, but not the lifetime of a refresh token', () => {
    const days = (n: number) => String(n * 24 * 60 * 60);
    expect(errorsOf({ ...needed, AUTHORITY_CACHE_SECONDS: days(90), ACCESS_TOKEN_SECONDS: days(90) })).toHaveLength(2);
    expect(readConfig({ ...needed, REFRESH_TOKEN_SECONDS: days(365) }).tokens.refreshMs).toBe(365 * 86_400_000);
    expect(errorsOf({ ...needed, REFRESH_TOKEN_SECONDS: days(4_000) })).toHaveLength(1);
  });

  describe('the key that signs tokens', () => {
    const pem = (namedCurve: string) =>
      generateKeyPairSync('ec', {
        namedCurve,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      });
    const { privateKey, publicKey } = pem('P-256');
    const folder = mkdtempSync(path.join(tmpdir(), 'chat-config-'));
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });
    const fileWith = (text: string): string => {
      const file = path.join(folder, 'key.pem');
      writeFileSync(file, text);
      return file;
    };

    it('is taken from a variable or from a file', () => {
      expect(readConfig(needed).tokens.privateKeyPem).toBeUndefined();
      expect(readConfig({ ...needed, TOKEN_PRIVATE_KEY: privateKey }).tokens.privateKeyPem).toBe(privateKey);
      const inFile = readConfig({ ...needed, TOKEN_PRIVATE_KEY_FILE: fileWith(privateKey) });
      expect(inFile.tokens.privateKeyPem).toBe(privateKey);
    });

    it('is not taken from both', () => {
      const both = { ...needed, TOKEN_PRIVATE_KEY: privateKey, TOKEN_PRIVATE_KEY_FILE: fileWith(privateKey) };
      expect(errorsOf(both)).toEqual(['TOKEN_PRIVATE_KEY: must not be set together with TOKEN_PRIVATE_KEY_FILE']);
    });

    it.each([
      ['no PEM', 's3cret'],
      ['a broken PEM', '-----BEGIN PRIVATE KEY-----\ns3cret\n-----END PRIVATE KEY-----\n'],
      ['a public key', publicKey],
      ['a key on another curve', pem('secp256k1').privateKey],
    ])('is reported among the other errors, without its value, if it is %s', (_what, text) => {
      const inVariable = errorsOf({ ...needed, PORT: 'http', TOKEN_PRIVATE_KEY: text });
      expect(inVariable).toEqual([
        'PORT: must be a whole number',
        'TOKEN_PRIVATE_KEY: must be a PEM private key on the curve P-256',
      ]);
      const inFile = errorsOf({ ...needed, PORT: 'http', TOKEN_PRIVATE_KEY_FILE: fileWith(text) });
      expect(inFile).toEqual([
        'PORT: must be a whole number',
        'TOKEN_PRIVATE_KEY_FILE: must name a file with a PEM private key on the curve P-256',
      ]);
    });

    it('is reported as one error if its file cannot be read', () => {
      expect(errorsOf({ ...needed, TOKEN_PRIVATE_KEY_FILE: path.join(folder, 'none.pem') })).toEqual([
        'TOKEN_PRIVATE_KEY_FILE: must name a readable file',
      ]);
    });
  });

  describe('.env.example', () => {
    const { names, set, commentedOut } = exampleSettings('chat');

    it('names every variable once', () => {
      expect(names).toEqual(Object.keys(chatEnvironment.shape).sort());
    });

    it('is valid, except for the file that it names', () => {
      expect(errorsOf(set)).toEqual(['TOKEN_PRIVATE_KEY_FILE: must name a readable file']);
    });

    it('shows the defaults', () => {
      expect(readConfig({ ...needed, ...commentedOut })).toEqual(readConfig(needed));
    });
  });
});
