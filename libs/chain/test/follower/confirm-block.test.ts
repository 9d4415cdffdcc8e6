import { Devnet } from '@waggle/devnet';
import { confirmBlock, HiveClient, HiveNodesUnavailableError } from '../../src';

const unknown = { idsAreHashes: false, hasProducerRewards: false };
const blockCount = 100;
const last = blockCount - 10;

let devnet: Devnet;
let fork: Devnet;
let urls: readonly string[];

beforeAll(async () => {
  // The head is of now.
  const genesisTime = Math.floor(Date.now() / 1_000) - 3 * blockCount;
  devnet = await Devnet.start({ unsigned: true, nodes: 2, genesisTime });
  fork = await Devnet.start({ unsigned: true, genesisTime: genesisTime + 1 });
  for (const { chain } of [devnet, fork]) chain.produceBlocks(blockCount);
  urls = [fork.url, ...devnet.urls];
});

afterEach(() => {
  for (const node of devnet.nodes) node.behave();
});

afterAll(async () => {
  await devnet.stop();
  await fork.stop();
});

async function confirm({ chain }: Devnet, nodes: readonly string[]): Promise<unknown> {
  const client = new HiveClient({ urls: nodes });
  try {
    return await confirmBlock(client, { number: last, id: chain.findBlock(last)?.id ?? '' }, unknown);
  } finally {
    await client.close();
  }
}

test('the block of the majority is confirmed, not that of a fork, whichever node responds first', async () => {
  for (const turn of [0, 1, 2]) {
    const nodes = [...urls.slice(turn), ...urls.slice(0, turn)];
    expect(await confirm(devnet, nodes)).toEqual({ idsAreHashes: true, hasProducerRewards: true });
    await expect(confirm(fork, nodes)).rejects.toThrow(HiveNodesUnavailableError);
  }
});

test('of two nodes that disagree, neither is confirmed', async () => {
  for (const chain of [devnet, fork]) await expect(confirm(chain, urls.slice(0, 2))).rejects.toThrow('contradiction');
});

test('a node that lags and does not have the block does not count', async () => {
  devnet.node.misbehave({ behindBlocks: 30 });
  expect(await confirm(devnet, devnet.urls)).toMatchObject({ idsAreHashes: true });
});

test('nodes that call the block irreversible but do not have it are behind', async () => {
  const distort = ({ method }: { method: string }, result: unknown) =>
    method === 'block_api.get_block_range' ? { blocks: [] } : result;
  for (const node of devnet.nodes) node.misbehave({ distort });
  await expect(confirm(devnet, devnet.urls)).rejects.toMatchObject({
    failures: devnet.urls.map((url) => ({ node: new URL(url).host, kind: 'behind', detail: `no block ${last}` })),
  });
});
