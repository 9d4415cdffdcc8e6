import { text } from 'node:stream/consumers';
import { Devnet } from '@waggle/devnet';
import { explain } from '@waggle/running/plain-error';
import { z } from 'zod';
import { makeBlocks } from './blocks';
import { RecordedNode } from './recorded-node';

const settings = z.object({ blocks: z.number(), otherOperations: z.number() });

/** As often at the least as on Hive, where there is a delegation in one of several blocks. */
const blocksPerDelegation = 2;

/** A chain that is there already, of which a node answers at once: prints its URL and the last irreversible block. */
async function main(): Promise<void> {
  const { blocks, otherOperations } = settings.parse(JSON.parse(await text(process.stdin)));
  const devnet = await Devnet.start({ unsigned: true });
  makeBlocks(devnet, blocks, { otherOperations, blocksPerDelegation });
  const url = await RecordedNode.start(devnet.url);
  process.stdout.write(`${JSON.stringify({ url, lastBlock: devnet.chain.lastIrreversible })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
