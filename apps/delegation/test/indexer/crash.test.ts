import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import { KilledIndexers, Random, killRounds, untilApplied } from '@waggle/testing';
import { isLong, longTest } from '@waggle/testing/long-form';
import { freshDatabase } from '../support/delegation-under-test';
import { IndexerUnderTest } from '../support/indexer-under-test';
import { RandomChain } from '../support/random-chain';
import { everyRow } from '../support/stored-state';

/** With LONG=true 20 kills; `KILLS=1000 npx jest crash` runs more. A killed process costs a second of CPU time. */
const { rounds, timeoutMs } = killRounds(Number(process.env['KILLS'] ?? (isLong ? 20 : 2)));
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

jest.setTimeout(timeoutMs);

describe(`an indexer that is killed again and again (SEED=${seed})`, () => {
  const random = new Random(seed);
  let devnet: Devnet;
  let chain: RandomChain;
  let indexers: KilledIndexers;

  beforeEach(async () => {
    devnet = await Devnet.start({ unsigned: true });
    chain = new RandomChain(devnet, random);
    chain.live(60);
    indexers = new KilledIndexers({
      main: path.join(__dirname, '../../dist/indexer.main.js'),
      environment: { START_FROM: 'first-block' },
      devnet,
      live: (blocks) => {
        chain.live(blocks);
      },
      random,
      createDatabase: freshDatabase,
      messages: { min: 30, max: 90 },
    });
  });
  afterEach(async () => {
    await devnet.stop();
    await indexers.drop();
  });

  it.each(rounds)('has the same rows as one that was never killed, after $kills kills ($round)', async ({ kills }) => {
    const { killed, undisturbed, stoppedBlocks } = await indexers.kill(kills);
    const rows = await everyRow(undisturbed);
    for (const url of killed) expect(await everyRow(url)).toEqual(rows);
    // The kills were spread over the work.
    expect(stoppedBlocks).toBeGreaterThanOrEqual(kills / 4);
  });

  // Two more processes; libs/chain shows it with followers of one process.
  longTest('writes once if two run, and the second continues when the first is killed', async () => {
    const url = await indexers.database();
    const two = [await indexers.start(url), await indexers.start(url)];
    for (const each of two) {
      chain.live(40);
      devnet.makeIrreversible();
      await untilApplied(url, devnet.chain.head.number, { actual: () => each.lines });
      await each.kill();
    }
    const undisturbed = await indexers.database();
    const last = await IndexerUnderTest.start(undisturbed, devnet.urls, { startFrom: 'first-block' });
    await last.reached(devnet.chain.head.number);
    await last.stop();
    expect(await everyRow(url)).toEqual(await everyRow(undisturbed));
    for (const { lines } of two) expect(lines.join('\n')).not.toMatch(/"level":"(error|fatal)"/);
  });
});
