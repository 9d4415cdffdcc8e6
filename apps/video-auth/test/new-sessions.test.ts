import { createHash, randomUUID } from 'node:crypto';
import { type TestDatabase } from '@waggle/testing';
import { Pool } from 'pg';
import { NewSessions, type NewSession } from '../src/sessions/new-sessions';
import { freshDatabase } from './video-auth-under-test';

let database: TestDatabase;
let one: Pool;
let other: Pool;

beforeAll(async () => {
  database = await freshDatabase();
  [one, other] = [new Pool({ connectionString: database.url }), new Pool({ connectionString: database.url })];
});
afterAll(async () => {
  await one.end();
  await other.end();
  await database.drop();
});

function sessionOf(text: string): NewSession {
  const proof = createHash('sha256').update(text).digest();
  const expiresAt = new Date(Date.now() + 60_000);
  return { id: randomUUID(), account: 'alice', proof, signingKey: proof, userAgent: null, ip: null, expiresAt };
}

function storeAll(pool: Pool, texts: readonly string[]): Promise<boolean[]> {
  const sessions = new NewSessions(pool);
  return Promise.all(texts.map((text) => sessions.add(sessionOf(text))));
}

it('creates one session per proof, even if instances store the same proofs in opposite orders', async () => {
  for (let round = 0; round < 10; round += 1) {
    const texts = Array.from({ length: 400 }, (_, i) => `${round} ${i}`);
    const stored = await Promise.all([storeAll(one, texts), storeAll(other, texts.toReversed())]);
    expect(stored.flat().filter(Boolean)).toHaveLength(texts.length);
  }
});

it('keeps only the first of two concurrent sessions for the same proof', async () => {
  expect(await storeAll(one, ['twice', 'twice'])).toEqual([true, false]);
});
