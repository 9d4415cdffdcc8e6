import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { publicTokenKeys } from '@waggle/contracts';
import { until } from '@waggle/testing';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { newKeyDocument, readKeyDocument } from '../../src/tokens/key-document';
import { keysCommand } from '../../src/tokens/keys-command';
import { bearer, authPath, jsonOf } from '../support/video-auth-client';
import { VideoAuthUnderTest, type VideoAuthInstance } from '../support/video-auth-under-test';

const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-rotation-'));
const file = path.join(folder, 'token-keys.json');
/** How often instances read the file, each at its own time. */
const reloadMs = 100;

let service: VideoAuthUnderTest;
let instances: [VideoAuthInstance, VideoAuthInstance];

const rotate = () => keysCommand(['rotate', file, '--published-seconds', '0'], new Date());
const documentNow = () => readKeyDocument(readFileSync(file, 'utf8'));
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const publishedBy = async (instance: VideoAuthInstance) =>
  (await jsonOf(await instance.get('/.well-known/jwks.json'), publicTokenKeys)).keys.map(({ kid }) => kid);

beforeAll(async () => {
  await keysCommand(['make', file], new Date());
  const tokens = { keys: { file, reloadMs } };
  service = await VideoAuthUnderTest.start({ tokens });
  instances = [service.instance, await service.addInstance({ tokens })];
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

/** Resolves when the instances have read the current file. */
async function know(...those: readonly VideoAuthInstance[]): Promise<void> {
  const { current } = documentNow();
  for (const instance of those) await until(async () => (await publishedBy(instance))[0] === current.kid);
}

it('serves all log-ins and checks while keys are rotated under load', async () => {
  const tokens: string[] = [];
  const failures: string[] = [];
  let isOver = false;
  let checks = 0;
  /** Logs in at one instance and checks at the other, new tokens and old ones. */
  const useBoth = async (account: string, turn: number) => {
    const [here, there] = turn % 2 === 0 ? instances : instances.toReversed();
    if (here === undefined || there === undefined) return;
    try {
      const token = await here.logIn(account);
      tokens.push(token);
      for (const each of [token, tokens[turn % tokens.length] ?? token]) {
        const { status } = await there.check(each);
        checks += 1;
        if (status !== 200) failures.push(`a check got ${status}`);
      }
    } catch (error) {
      failures.push(String(error));
    }
  };
  const load = ['alice', 'bob', 'carol', 'dave'].map(async (account, index) => {
    for (let turn = index; !isOver; turn += 1) await useBoth(account, turn);
  });
  const currentIsUsed = () => until(() => tokens.some((token) => kidOf(token) === documentNow().current.kid));
  try {
    await currentIsUsed();
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await rotate();
      await know(...instances);
      await currentIsUsed();
    }
    // Without a pause, so that an instance gets an unknown kid before it reloads the file.
    await rotate();
    await rotate();
    await currentIsUsed();
  } finally {
    isOver = true;
    await Promise.all(load);
  }
  expect(failures).toEqual([]);
  expect(new Set(tokens.map(kidOf)).size).toBeGreaterThan(4);
  expect(checks).toBeGreaterThan(20);

  // No session ended, and other verifiers have every key.
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', service.instance.url));
  for (const token of [tokens[0], tokens.at(-1)]) {
    await jwtVerify(token ?? '', keys);
    expect(await service.instance.isGood(token ?? '')).toBe(true);
  }
});

it('accepts a token with a new kid at once, although the file was not read since the rotation', async () => {
  const slow = await service.addInstance({ tokens: { keys: { file, reloadMs: 3_600_000 } } });
  await rotate();
  await rotate();
  await know(...instances);
  const token = await service.instance.logIn('erin');
  expect(await publishedBy(slow)).not.toContain(kidOf(token));
  expect(await slow.isGood(token)).toBe(true);
  expect(await publishedBy(slow)).toContain(kidOf(token));
});

it.each(['', '{"current":"secret text"}'])(
  'keeps its keys while the file is invalid (%j), logs an error without quoting it, and accepts a valid file again',
  async (broken) => {
    await know(...instances);
    // A new instance, since a repeated error is not logged again for a while.
    const instance = await service.addInstance({ tokens: { keys: { file, reloadMs } } });
    const token = await instance.logIn('frank');
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, broken);
    while (!instance.logLines.some((line) => line.includes('cannot read the token keys'))) {
      expect(await instance.isGood(token)).toBe(true);
    }
    expect(await instance.isGood(token)).toBe(true);
    expect(instance.logLines.join('')).not.toContain('secret text');
    writeFileSync(file, good);
    await rotate();
    await know(instance);
    expect(await instance.isGood(token)).toBe(true);
  },
);

it('rejects the tokens of a key that is no longer in the file', async () => {
  const token = await service.instance.logIn('grace');
  writeFileSync(file, JSON.stringify(newKeyDocument(new Date())));
  await know(...instances);
  expect(await service.instance.isGood(token)).toBe(false);
  expect((await service.instance.get(`${authPath}/sessions`, bearer(token))).status).toBe(401);
});
