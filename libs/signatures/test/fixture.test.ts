import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  formatPublicKey,
  parsePublicKey,
  parseSignature,
  recoverPublicKey,
  samePublicKey,
  secp256k1Backend,
} from '../src';
import { loadNativeSecp256k1 } from '../src/native-secp256k1';
import { pureSecp256k1 } from '../src/pure-secp256k1';
import { type Secp256k1Backend } from '../src/secp256k1';
import { fixture, type FixtureRow } from './fixture';
import { recoverByHiveJs } from './hive-js';

const native = loadNativeSecp256k1();
const backends = native ? [native, pureSecp256k1] : [pureSecp256k1];

/** Returns the verdict of one backend about a row. */
function verdict(row: FixtureRow, backend: Secp256k1Backend): string {
  const parsed = parseSignature(row.signature);
  if (!parsed.ok) return parsed.error;
  const digest = createHash('sha256').update(row.text).digest();
  const key = backend.recover(parsed.signature.rs, parsed.signature.recoveryId, digest);
  if (key === undefined) return 'unrecoverable';
  return formatPublicKey(key) === row.publicKey ? 'valid' : 'wrong-key';
}

function recoveredKey({ text, signature }: FixtureRow): string | undefined {
  const recovered = recoverPublicKey(text, signature);
  return recovered.ok ? formatPublicKey(recovered.publicKey) : undefined;
}

describe('the fixture file', () => {
  test('matches the output of its script', async () => {
    const folder = path.join(__dirname, '../fixtures');
    const script = await promisify(execFile)(process.execPath, [path.join(folder, 'generate.cjs'), '--print']);
    expect(await readFile(path.join(folder, 'signatures.json'), 'utf8')).toBe(script.stdout);
  });

  test('has rows of every kind, with unique names', () => {
    expect(new Set(fixture.map((row) => row.expect))).toEqual(
      new Set(['valid', 'malformed', 'not-canonical', 'unrecoverable', 'wrong-key']),
    );
    expect(new Set(fixture.map((row) => row.name)).size).toBe(fixture.length);
  });
});

test('loads the native bindings on the platforms that they are built for', () => {
  const built = ['linux-x64', 'darwin-arm64', 'win32-x64'].includes(`${process.platform}-${process.arch}`);
  expect(secp256k1Backend).toBe(built ? 'native' : native === undefined ? 'pure' : 'native');
});

describe.each(backends)('with the $name backend', (backend) => {
  test.each(fixture)('$name: $expect', (row) => {
    expect(verdict(row, backend)).toBe(row.expect);
  });
});

test.each(fixture)('recoverPublicKey: $name: $expect', ({ text, signature, publicKey, expect: expected }) => {
  const recovered = recoverPublicKey(text, signature);
  const key = parsePublicKey(publicKey);
  if (key === undefined) throw new Error('the row has no key');
  if (recovered.ok) expect(samePublicKey(recovered.publicKey, key) ? 'valid' : 'wrong-key').toBe(expected);
  else expect(recovered.error).toBe(expected);
});

test('recovers the same keys as hive-js, which accepts the expected rows', async () => {
  const keys = await recoverByHiveJs(fixture);
  const rows = fixture.map((row, index) => ({ row, key: keys[index] }));
  const accepted = rows.filter(({ row, key }) => key === row.publicKey).map(({ row }) => row.name);
  expect(accepted).toEqual(fixture.filter((row) => row.hiveJsAccepts ?? row.expect === 'valid').map((row) => row.name));
  const wrong = rows.filter(({ row }) => row.expect === 'wrong-key');
  expect(wrong.map(({ row }) => recoveredKey(row))).toEqual(wrong.map(({ key }) => key));
});
