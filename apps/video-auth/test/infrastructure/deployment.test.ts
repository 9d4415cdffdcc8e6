import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Overlay, readComposition, secretStandIn, unknownSettings } from '@waggle/testing';
import { readConfig, videoAuthEnvironment } from '../../src/config';
import { keysCommand } from '../../src/tokens/keys-command';

const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-deployment-'));
const keysFile = path.join(folder, 'token-keys.json');
beforeAll(async () => {
  await keysCommand(['make', keysFile], new Date());
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it.each(['local', 'production'])('gets only known settings from the overlay %s', (name) => {
  const overlay = Overlay.build(`${name}/video-auth`);
  const environment = overlay.environmentOf('Deployment', 'video-auth', secretStandIn);
  expect(unknownSettings(environment, videoAuthEnvironment)).toEqual([]);
  // The overlay mounts the secret as this file.
  expect(overlay.secretFilesOf('video-auth').get(environment['TOKEN_KEYS_FILE'] ?? '')).toBe('token-keys.json');
  const config = readConfig({ ...environment, TOKEN_KEYS_FILE: keysFile });
  // Several pods share Redis.
  expect(config.redis).toBeDefined();
  expect(config.http).toMatchObject({ host: '0.0.0.0', port: 8080, trustedProxies: ['uniquelocal'] });
  // Challenges contain the public host.
  const ingress = JSON.stringify(overlay.get('Ingress', 'video-auth'));
  expect(ingress).toContain(`"host":"${config.challenges.domain}"`);
  expect(Object.keys(overlay.environmentOf('Job', 'video-auth-migrate', secretStandIn))).toEqual(['DATABASE_URL']);
});

it('gets its settings from docker/compose.yaml', () => {
  const environment = readComposition().get('video-auth')?.environment ?? {};
  expect(unknownSettings(environment, videoAuthEnvironment)).toEqual([]);
  expect(readConfig(environment).challenges.domain).toBe('localhost:3002');
});
