import { Devnet } from '@waggle/devnet';
import { createTestDatabase, type TestDatabase } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';
import { Recording } from './recording';

/** Only `LONG=true npx jest slow-node` runs this: on a short chain the start, of about two comparisons, decides. */
const blocks = 24_000;
const methods = ['block_api.get_block_range', 'account_history_api.enum_virtual_ops'];

let devnet: Devnet;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  devnet = await Devnet.start({ unsigned: true, nodes: 2 });
  for (let number = 0; number < blocks; number += 10) {
    devnet.createAccount(`account-${number}`);
    devnet.produceBlocks(9);
  }
  // Each response takes the healthy node as long as one nearby.
  devnet.nodes[0]?.misbehave({ slowMs: 20, onlyMethods: methods });
  devnet.nodes[1]?.misbehave({ slowMs: 800, onlyMethods: methods });
});

afterAll(async () => {
  await devnet.stop();
  await database.drop();
});

/** @returns how long a follower of these nodes needed for all blocks, in milliseconds */
async function catchUp(urls: readonly string[]): Promise<number> {
  const recording = await Recording.startIn(database, devnet);
  const startedMs = performance.now();
  recording.follow({ batchBlocks: 100, nodes: { urls, timeoutMs: 15_000 } });
  await recording.caughtUp();
  const ms = performance.now() - startedMs;
  expect(await recording.recorded()).toEqual(recording.expected());
  await recording.stop();
  return ms;
}

longTest(
  'a slow node beside a fast one delays catching up by less than 30 percent',
  async () => {
    const [fast = ''] = devnet.urls;
    const aloneMs = await catchUp([fast]);
    const besideMs = await catchUp(devnet.urls);
    process.stdout.write(`alone ${aloneMs.toFixed(0)} ms, beside a slow node ${besideMs.toFixed(0)} ms\n`);
    expect(besideMs / aloneMs).toBeLessThan(1.3);
  },
  180_000,
);
