import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import { KilledIndexers, Random, killRounds } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { everyRow, freshDatabase } from '../support/index-under-test';
import { RandomActivity } from '../support/random-activity';

/** With LONG=true 20 kills; `KILLS=1000 npx jest crash` runs more. A killed process costs a second of CPU time. */
const { rounds, timeoutMs } = killRounds(Number(process.env['KILLS'] ?? (isLong ? 20 : 2)));
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

jest.setTimeout(timeoutMs);

describe(`an indexer that is killed again and again (SEED=${seed})`, () => {
  const random = new Random(seed);

  it.each(rounds)('has the same rows as an uninterrupted one after $kills kills ($round)', async ({ kills }) => {
    const devnet = await Devnet.start({ unsigned: true });
    const activity = new RandomActivity(devnet, random);
    activity.createCommunities();
    activity.produceBlocks(60);
    const indexers = new KilledIndexers({
      main: path.join(__dirname, '../../dist/indexer.main.js'),
      devnet,
      live: (blocks) => {
        activity.produceBlocks(blocks);
      },
      random,
      createDatabase: freshDatabase,
      messages: { min: 50, max: 150 },
    });
    try {
      const { killed, undisturbed, stoppedBlocks } = await indexers.kill(kills);
      const rows = await everyRow(undisturbed);
      expect(rows['account']?.length).toBeGreaterThan(3);
      for (const url of killed) expect(await everyRow(url)).toEqual(rows);
      // The kills hit the indexer while it was working.
      expect(stoppedBlocks).toBeGreaterThanOrEqual(kills / 4);
    } finally {
      await devnet.stop();
      await indexers.drop();
    }
  });
});
