import { RecordedChain, type RecordedChainName, recordedChainNames, Replay } from '@waggle/devnet';
import { createLogger } from '@waggle/service';
import { until, untilApplied } from '@waggle/testing';
import { isLong } from '@waggle/testing/long-form';
import { Client } from 'pg';
import { readIndexerConfig } from '../../src/config';
import { createGatewayIndexer } from '../../src/indexer.app';
import { freshDatabase } from '../support/index-under-test';
import { foldSocialGraph, type SocialGraph } from './recorded-social-graph';

/** The folder of the recordings, which are not part of the repository. */
const folder = process.env['TEST_RECORDED_CHAIN'];

// The collage has more than 11,000 blocks.
const limitMs = 300_000;
jest.setTimeout(2 * limitMs);

/**
 * `LONG=true npx jest recorded-chain` also reads the large collage, and each recording from both kinds of nodes. The
 * short form reads the first blocks from hived, and later ones from HAfAH.
 */

const ofEach = recordedChainNames.flatMap((name) =>
  (['hived', 'haf'] as const)
    .filter((software) => isLong || name === (software === 'hived' ? 'first' : 'million'))
    .map((software) => ({ name, software })),
);

const linesSql: Readonly<Record<keyof SocialGraph, string>> = {
  accounts: 'SELECT name AS line FROM account',
  posts: `SELECT concat(a.name, '/', p.permlink, ' ', p.is_deleted::text) AS line FROM post p JOIN account a ON a.id = p.author_id`,
  votes: `SELECT concat(a.name, '/', p.permlink, ' ', v.name, ' ', vote.rshares, ' ', vote.percent) AS line
          FROM vote JOIN post p ON p.id = vote.post_id JOIN account a ON a.id = p.author_id JOIN account v ON v.id = vote.voter_id`,
  reblogs: `SELECT concat(a.name, '/', p.permlink, ' ', r.name) AS line
            FROM blog_entry b JOIN post p ON p.id = b.post_id JOIN account a ON a.id = p.author_id JOIN account r ON r.id = b.account_id WHERE b.is_reblog`,
  payouts: `SELECT concat(a.name, '/', p.permlink, ' ', y.author_payout + y.curator_payout + y.beneficiary_payout, ' ', y.is_paid::text, ' ', y.total_votes) AS line
            FROM payout y JOIN post p ON p.id = y.post_id JOIN account a ON a.id = p.author_id`,
  children: `SELECT concat(a.name, '/', p.permlink, ' ', p.children) AS line FROM post p JOIN account a ON a.id = p.author_id WHERE p.children > 0 AND NOT p.is_deleted`,
  follows: `SELECT concat(a.name, ' ', b.name, ' ', f.lists) AS line
            FROM follow f JOIN account a ON a.id = f.follower_id JOIN account b ON b.id = f.following_id`,
  reputations: `SELECT concat(name, ' ', reputation) AS line FROM account WHERE reputation <> 0`,
};

async function readGraph(url: string): Promise<Record<string, string[]>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const graph: Record<string, string[]> = {};
  for (const [list, sql] of Object.entries(linesSql))
    graph[list] = (await client.query<{ line: string }>(sql)).rows.map(({ line }) => line).sort();
  await client.end();
  return graph;
}

(folder === undefined ? describe.skip : describe)('the index of recorded blocks (needs TEST_RECORDED_CHAIN)', () => {
  const chains = new Map<RecordedChainName, RecordedChain>();
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  it.each(ofEach)('of $name, served by $software, is the expected one', async ({ name, software }) => {
    const chain = chains.get(name) ?? RecordedChain.read(folder ?? '', name);
    chains.set(name, chain);
    const lastBlock = chain.last.number - 1;
    // The follower reads the block before its first one.
    const startBlock = chain.first.number + (name === 'million' ? 1 : 0);
    const replay = await Replay.start(chain, { nodes: [software] });
    stops.push(() => replay.stop());
    const database = await freshDatabase();
    stops.push(() => database.drop());
    const config = readIndexerConfig({
      ...{ HOST: '127.0.0.1', PORT: '0', DATABASE_URL: database.url, HIVE_API_NODES: replay.urls.join(',') },
      ...{ START_BLOCK: String(startBlock), POLL_INTERVAL_MS: '50' },
    });
    const logLines: string[] = [];
    const indexer = await createGatewayIndexer(
      config,
      createLogger('rpc-gateway-indexer', 'debug', { write: (line) => logLines.push(line) }),
    );
    stops.push(() => indexer.app.close());
    await indexer.app.listen({ host: '127.0.0.1', port: 0 });
    const sinceMs = performance.now();
    indexer.start();
    await untilApplied(database.url, lastBlock, { limitMs, actual: () => logLines.slice(-3) });
    const ms = Math.round(performance.now() - sinceMs);
    const url = await indexer.app.getUrl();
    await until(async () => (await fetch(`${url}/health/ready`)).status === 200);

    const operations = [...chain.operations()].filter(
      (each) => 'block' in each && Number(each.block) >= startBlock && Number(each.block) <= lastBlock,
    );
    const older = chain.first.state.accounts
      .filter(({ created }) => created.startsWith('1970-'))
      .map((each) => each.name);
    const expected = foldSocialGraph(older, operations);
    const stored = await readGraph(database.url);
    // On a busy machine the node may respond late.
    const warnings = logLines.filter(
      (line) => /"level":"(warn|error|fatal)"/.test(line) && !/"reason":"timeout"|HiveNodesUnavailable/.test(line),
    );
    const counts = Object.entries(stored).map(([list, lines]) => `${list} ${lines.length}`);
    console.info(
      `${name} of ${software}: to block ${lastBlock} in ${ms} ms, ${counts.join(', ')}, ready, ${warnings.length} warnings`,
    );
    const isOlder = new Set(older);
    const accounts = stored['accounts']?.filter((account) => !isOlder.has(account));
    expect({ ...stored, accounts }).toEqual(expected);
    expect(warnings).toEqual([]);
  });
});
