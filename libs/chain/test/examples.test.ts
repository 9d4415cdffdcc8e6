import * as signatures from '@waggle/signatures';
import { Devnet, devnetKeys, signByHiveJs } from '@waggle/devnet';
import { createTestDatabase, exampleIn, runExample, until } from '@waggle/testing';
import { Client, type ClientBase } from 'pg';
import { z } from 'zod';
import * as chain from '../src';
import { signedByKeyA } from './signed';

const observer: chain.FollowerObserver = {
  onRole: () => undefined,
  onApplied: () => undefined,
  onRetry: () => undefined,
  onUndecodable: () => undefined,
  onNotCompared: () => undefined,
  onStop: () => undefined,
};

let devnet: Devnet;
beforeAll(async () => {
  devnet = await Devnet.start();
});
afterAll(() => devnet.stop());

it('verifies a signature as the README shows', async () => {
  devnet.changeKey('alice', 'posting', signedByKeyA.publicKey);
  const outcomes: unknown[] = [];
  const result = await runExample(exampleIn('libs/chain/README.md', 'chain'), {
    modules: { '@waggle/chain': chain },
    globals: {
      config: { hiveApiNodes: devnet.urls, trustedAccounts: [] },
      metrics: { count: (outcome: unknown) => outcomes.push(outcome) },
      text: signedByKeyA.text,
      signature: signedByKeyA.signature,
    },
    results: ['verdict'],
  });
  expect(result).toEqual({
    verdict: {
      valid: true,
      publicKey: expect.any(Uint8Array),
      role: 'posting',
      signer: 'alice',
      text: expect.any(String),
    },
  });
  expect(outcomes).not.toEqual([]);
});

it('verifies a signature without a chain as the README of libs/signatures shows', async () => {
  const text = 'what was signed';
  const { wif, publicKey } = devnetKeys('alice').posting;
  const authority = {
    weightThreshold: 1,
    accountAuths: [],
    keyAuths: [{ key: signatures.parsePublicKey(publicKey), weight: 1 }],
  };
  const responseTo = (signatureHex: string) =>
    runExample(exampleIn('libs/signatures/README.md', 'signatures'), {
      modules: { '@waggle/signatures': signatures },
      globals: { text, signatureHex, authority },
    });
  const signature = signByHiveJs(text, wif);
  expect(await responseTo(signature)).toBe(true);
  expect(await responseTo(signature.slice(2))).toBe('malformed');
});

it('follows the chain as the README shows', async () => {
  const database = await createTestDatabase();
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  await reader.query(`${chain.chainCheckpointTable}; CREATE TABLE transfer (sender text, amount jsonb)`);
  const client = new chain.HiveClient({ urls: devnet.urls });
  const stop = new AbortController();
  const transfer = z.object({ from: z.string(), amount: z.unknown() });
  const following = runExample(exampleIn('libs/chain/README.md', 'Following the chain'), {
    globals: {
      ...chain,
      client,
      transfer,
      observe: () => observer,
      database: { url: database.url, isUnavailable: () => false, isPooled: () => Promise.resolve(false) },
      config: { firstBlock: 1 },
      insertTransfers: async (writer: ClientBase, batch: z.infer<typeof transfer>[]) => {
        for (const { from, amount } of batch)
          await writer.query('INSERT INTO transfer VALUES ($1, $2)', [from, JSON.stringify(amount)]);
      },
      signal: stop.signal,
    },
  });
  devnet.produceBlocks(3);
  devnet.makeIrreversible();
  const applied = async () => {
    const { rows } = await reader.query<{ n: string }>(
      `SELECT block_number AS n FROM chain_checkpoint WHERE name = 'transfers'`,
    );
    return Number(rows[0]?.n ?? 0);
  };
  await Promise.race([following, until(async () => (await applied()) >= 3)]);
  // The first block of the devnet creates its accounts with their funds.
  expect((await reader.query('SELECT FROM transfer')).rowCount).toBeGreaterThan(0);
  stop.abort();
  await following;
  await client.close();
  await reader.end();
  await database.drop();
});
