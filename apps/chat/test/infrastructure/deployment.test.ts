import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandsIn, Overlay, readComposition, secretStandIn, unknownSettings } from '@waggle/testing';
import { chatEnvironment, readConfig } from '../../src/config';

const folder = mkdtempSync(path.join(tmpdir(), 'chat-deployment-'));
const keyFile = path.join(folder, 'token-key.pem');
beforeAll(() => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(['local', 'production'])('accepts the variables of the overlay %s, all of which it knows', (name) => {
  const overlay = Overlay.build(`${name}/chat`);
  const environment = overlay.environmentOf('Deployment', 'chat', secretStandIn);
  expect(unknownSettings(environment, chatEnvironment)).toEqual([]);
  // The file is where the overlay puts the secret.
  expect(overlay.secretFilesOf('chat').get(environment['TOKEN_PRIVATE_KEY_FILE'] ?? '')).toBe('token-key.pem');
  const config = readConfig({ ...environment, TOKEN_PRIVATE_KEY_FILE: keyFile });
  // Several pods are one chat.
  expect(config.redis).toBeDefined();
  expect(config.http).toMatchObject({ host: '0.0.0.0', port: 8080, trustedProxies: ['uniquelocal'] });
  expect(config.cookies.secure).toBe(name === 'production');
  expect(Object.keys(overlay.environmentOf('Job', 'chat-migrate', secretStandIn))).toEqual(['DATABASE_URL']);
});

it('accepts the configuration in docker/compose.yaml', () => {
  const environment = readComposition().get('chat')?.environment ?? {};
  expect(unknownSettings(environment, chatEnvironment)).toEqual([]);
  expect(readConfig(environment).redis).toBeDefined();
});

it('accepts a key created as in the runbook', () => {
  const making = commandsIn('docs/runbooks/chat.md', 'Rotate keys').slice(0, 2).join('\n');
  expect(making).toMatch(/^umask 077.*\nnode .* > token-key.pem$/);
  const made = spawnSync('sh', ['-c', making], { cwd: folder, encoding: 'utf8' });
  expect([made.status, made.stderr]).toEqual([0, '']);
  const environment = readComposition().get('chat')?.environment ?? {};
  expect(readConfig({ ...environment, TOKEN_PRIVATE_KEY_FILE: keyFile }).tokens.privateKeyPem).toContain('PRIVATE KEY');
});
