import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CloneState } from './clone-state';

const folder = mkdtempSync(path.join(tmpdir(), 'waggle-clone-'));
const open = () => new CloneState({ WAGGLE_STATE: path.join(folder, 'state') });
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('stores its secrets between runs, readable only for its user', () => {
  const state = open();
  const secrets = () => [
    state.postgresPassword(),
    readFileSync(state.tokenKeyFile('chat'), 'utf8'),
    state.postgresData(),
  ];
  const made = secrets();
  expect(secrets()).toEqual(made);
  const again = open();
  expect([again.postgresPassword(), readFileSync(again.tokenKeyFile('chat'), 'utf8'), again.postgresData()]).toEqual(
    made,
  );
  for (const name of readdirSync(state.folder)) {
    expect(statSync(path.join(state.folder, name)).mode & 0o077).toBe(0);
  }
  expect(statSync(state.folder).mode & 0o077).toBe(0);
});

it('makes an ES256 key for each service', () => {
  const [chat, other] = ['chat', 'other'].map((name) => readFileSync(open().tokenKeyFile(name), 'utf8'));
  expect(createPrivateKey(chat ?? '').asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  expect(other).not.toBe(chat);
});
