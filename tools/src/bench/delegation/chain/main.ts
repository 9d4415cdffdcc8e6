import { text } from 'node:stream/consumers';
import { Devnet } from '@waggle/testing';
import { z } from 'zod';
import { explain } from '../../../plain-error';
import { makeBlocks } from './blocks';
import { RecordedNode } from './recorded-node';

const settings = z.object({ blocks: z.number(), otherOperations: z.number() });

/** Operations of delegation in a block; on Hive there is one in several blocks. */
const delegations = 2;

/** A chain that is there already, of which a node answers at once: prints its URL and the last irreversible block. */
async function main(): Promise<void> {
  const { blocks, otherOperations } = settings.parse(JSON.parse(await text(process.stdin)));
  const devnet = await Devnet.start({ unsigned: true });
  makeBlocks(devnet, blocks, { otherOperations, delegations });
  const url = await RecordedNode.start(devnet.url);
  process.stdout.write(`${JSON.stringify({ url, lastBlock: devnet.chain.lastIrreversible })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
