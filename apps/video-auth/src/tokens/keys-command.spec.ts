import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readKeyDocument, type KeyDocument } from './key-document';
import { keysCommand, KeysCommandError } from './keys-command';

const folder = mkdtempSync(path.join(tmpdir(), 'video-auth-keys-'));
const file = path.join(folder, 'token-keys.json');
afterAll(() => {
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  rmSync(file, { force: true });
  await keysCommand(['make', file], start);
});

const start = new Date('2026-01-01T00:00:00.000Z');
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const document = (): KeyDocument => readKeyDocument(readFileSync(file, 'utf8'));
const kids = () => {
  const { current, next, former } = document();
  return { current: current.kid, next: next?.kid, former: former.map(({ kid }) => kid) };
};

describe('make', () => {
  it('writes a current and a next key, readable by the owner only', () => {
    const { current, next, former } = kids();
    expect(current).not.toBe(next);
    expect(former).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('replaces keys only on request', async () => {
    const before = kids();
    await expect(keysCommand(['make', file], start)).rejects.toThrow(/--replace invalidates all tokens/);
    expect(kids()).toEqual(before);
    await keysCommand(['make', file, '--replace'], start);
    expect(kids().current).not.toBe(before.current);
  });
});

describe('rotate', () => {
  it('makes the next key current, creates another one, and retains the public half of the former key', async () => {
    const before = kids();
    const output = await keysCommand(['rotate', file], hoursLater(1));
    expect(kids()).toEqual({ current: before.next, next: expect.any(String), former: [before.current] });
    expect(document().former).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
    expect(output).toContain(`current ${before.next ?? ''}`);
    expect(output).toMatch(/former {2}\S+, retired 2026-01-01T01:00:00.000Z/);
  });

  it('rejects a rotation if the next key was published too recently', async () => {
    const before = kids();
    await expect(keysCommand(['rotate', file], hoursLater(0.2))).rejects.toThrow(/has been published for 720 s only/);
    expect(kids()).toEqual(before);
    await keysCommand(['rotate', file, '--published-seconds', '700'], hoursLater(0.2));
    expect(kids().current).toBe(before.next);
  });

  it('creates a missing next key, which signs after the following rotation', async () => {
    const { current, former } = document();
    const withoutNext = { current, former };
    writeFileSync(file, JSON.stringify(withoutNext));
    const output = await keysCommand(['rotate', file], hoursLater(1));
    expect(kids()).toMatchObject({ current: withoutNext.current.kid, next: expect.any(String), former: [] });
    expect(output).toContain('the current key still signs');
  });

  it('removes a former key when all its tokens have expired', async () => {
    const rotate = (hours: number) => keysCommand(['rotate', file, '--token-seconds', '36000'], hoursLater(hours));
    const first = kids().current;
    await rotate(1);
    await rotate(11);
    expect(kids().former).toContain(first);
    await rotate(13);
    expect(kids().former).not.toContain(first);
    expect(kids().former).toHaveLength(2);
  });

  it('preserves the permissions of the file, and leaves no temporary file', async () => {
    chmodSync(file, 0o640);
    await keysCommand(['rotate', file], hoursLater(1));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(['token-keys.json']);
  });
});

it('works after a command that was killed, and removes its unfinished file', async () => {
  const others = ['token-keys.json.tmp', `token-keys.json.${process.pid}`];
  for (const name of [...others, 'token-keys.json.0123456789abcdef.tmp']) writeFileSync(path.join(folder, name), '');
  await keysCommand(['rotate', file], hoursLater(1));
  expect(readdirSync(folder).toSorted()).toEqual(['token-keys.json', ...others].toSorted());
  for (const name of others) rmSync(path.join(folder, name));
});

it.each([
  [[]],
  [['make']],
  [['turn', file]],
  [['rotate', file, 'more']],
  [['rotate', file, '--token-seconds', 'week']],
  [['rotate', file, '--no-such']],
])('prints its usage: %j', async (args) => {
  await expect(keysCommand(args, start)).rejects.toThrow(/usage: keys\.main\.js make <file>/);
});

it('describes the errors of a file without quoting it', async () => {
  const { current, next } = document();
  for (const [text, output] of [
    ['s3cret', 'not JSON'],
    ['{}', 'current'],
    [JSON.stringify({ current: { ...current, d: next?.d } }), 'current: is not a key pair'],
    [JSON.stringify({ current, next: current }), 'two keys have one kid'],
    [
      JSON.stringify({ current, former: [{ ...next, x: 's3cret', retired_at: start }] }),
      'former: 0: is not a public key',
    ],
  ] as const) {
    writeFileSync(file, text);
    const error: unknown = await keysCommand(['rotate', file], hoursLater(1)).catch((thrown: unknown) => thrown);
    if (!(error instanceof KeysCommandError)) throw new Error('not rejected');
    expect(error.message).toContain(output);
    expect(error.message).not.toMatch(new RegExp(`s3cret|${current.d}`));
  }
  await expect(keysCommand(['rotate', path.join(folder, 'none')], start)).rejects.toThrow(/ENOENT/);
});
