import { execFile } from 'node:child_process';
import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import { exampleIn } from '@waggle/testing';
import { longTest } from '@waggle/testing/long-form';

const run = path.resolve(__dirname, '../../run.mjs');

/** Runs `npm run check-nodes -- …`, without building. */
function checkNodes(args: readonly string[]): Promise<{ code: unknown; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], WAGGLE_SKIP_SETUP: 'true' };
    execFile(process.execPath, [run, 'check-nodes', ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

/** The output for one service, with other numbers in place of ports and times, and without padding. */
function sectionOf(output: string, service: string): string {
  const [, section = ''] = output.split(`# ${service}\n`);
  return (section.split('\n# ')[0] ?? '')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:port')
    .replaceAll(/\d+ s /g, 'lag ')
    .replaceAll(/\d+ ms/g, 'time')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** The lines that say what a service cannot do, or that nothing is missing. */
const summaryOf = (output: string) =>
  output.split('\n').filter((line) => /^(chat|video|delegation|rpc)\S*: /.test(line));

describe('npm run check-nodes', () => {
  let devnet: Devnet;
  afterEach(() => devnet.stop());

  it('prints the table that the README of libs/chain shows, and ends with 0 if enough nodes serve every method', async () => {
    const genesisTime = Math.floor(Date.now() / 1_000) - 24 * 3;
    devnet = await Devnet.start({ nodes: ['hived', 'haf', 'hived-1.25'], nodeKind: 'public', genesisTime });
    devnet.post('alice', 'a-post');
    devnet.produceBlocks(20);
    devnet.makeIrreversible();
    const { code, output } = await checkNodes(devnet.urls);
    expect(sectionOf(output, 'delegation')).toBe(
      sectionOf(exampleIn('libs/chain/README.md', 'Checking nodes'), 'delegation'),
    );
    const services = ['chat', 'video-auth', 'delegation', 'rpc-gateway'];
    expect(summaryOf(output)).toEqual(services.map((service) => `${service}: enough nodes serve every method.`));
    expect(code).toBe(0);
    expect(devnet.broadcasts).toBe(0);
  });

  it('ends with 1 and says which service cannot do what', async () => {
    devnet = await Devnet.start({ nodes: ['haf', 'haf', 'haf'] });
    const [first, second] = devnet.nodes;
    first?.misbehave({ wrong: 503, onlyMethods: ['database_api.find_accounts'] });
    second?.misbehave({ wrong: 'html' });
    const { code, output } = await checkNodes(devnet.urls);
    const logins = 'accounts cannot log in: only 1 of 3 nodes, less than a majority, serve database_api.find_accounts';
    expect(summaryOf(output)).toEqual([
      `chat: ${logins}`,
      `video-auth: ${logins}`,
      'delegation: enough nodes serve every method.',
      'rpc-gateway: clients get an error, unless the route table names nodes that serve it: no node serves bridge.get_ranked_posts',
    ]);
    expect(output).toContain('1 database_api.find_accounts fails: http-status (503)');
    expect(output).toContain('2 database_api.get_dynamic_global_properties fails: not-json');
    expect(code).toBe(1);
  });

  // Each run starts the commands of four services: 2.5 s of CPU time.
  longTest('ends with 1 if no node has the first block', async () => {
    devnet = await Devnet.start();
    // The check reads the last 50 blocks too, which such a node has.
    devnet.produceBlocks(60);
    devnet.makeIrreversible();
    devnet.node.misbehave({
      distort: ({ params }, result) =>
        (params as { starting_block_num?: number }).starting_block_num === 1 ? { blocks: [] } : result,
    });
    const { code, output } = await checkNodes(devnet.urls);
    expect(summaryOf(output)).toContain(
      'delegation: an index cannot begin at the first block of the chain: no node serves block_api.get_block_range',
    );
    expect(code).toBe(1);
  });

  longTest('names an argument that is no URL once, without repeating it, and ends with 2', async () => {
    devnet = await Devnet.start();
    const { code, output } = await checkNodes([devnet.url, 'ftp://user:secret@node']);
    expect(output).toBe('argument 2: must be a URL (http:, https:)\n');
    expect(code).toBe(2);
  });
});
