import { text } from 'node:stream/consumers';
import { Devnet } from '@waggle/devnet';
import { explain } from '@waggle/running/plain-error';
import { type Chain, chainJob } from '../jobs';
import { makeDelegationBlocks } from './delegation-blocks';
import { Recording, startRecordedNode } from './recorded-node';
import { makeSocialBlocks } from './social-blocks';

/** Makes a chain and serves it from one fast node and some slow ones; prints a `Chain`. */
async function main(): Promise<void> {
  const { content, blocks, otherOperations, slowNodes, slowMs } = chainJob.parse(JSON.parse(await text(process.stdin)));
  const devnet = await Devnet.start({ unsigned: true });
  const makeBlocks = content === 'social' ? makeSocialBlocks : makeDelegationBlocks;
  makeBlocks(devnet, blocks, otherOperations);
  const recording = new Recording(devnet.url);
  const url = await startRecordedNode(recording, 0);
  const slowUrls: string[] = [];
  for (let made = 0; made < slowNodes; made += 1) slowUrls.push(await startRecordedNode(recording, slowMs));
  const chain: Chain = { url, slowUrls, lastBlock: devnet.chain.lastIrreversible };
  process.stdout.write(`${JSON.stringify(chain)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
