import { Devnet } from '@waggle/devnet';
import { runLoadProcess } from '../../measure/load-process';
import { type Chain, chainJob } from '../jobs';
import { makeDelegationBlocks } from './delegation-blocks';
import { Recording, startRecordedNode } from './recorded-node';
import { makeSocialBlocks } from './social-blocks';

/** Makes a chain and serves it from one fast node and some slow ones. */
runLoadProcess(async (input): Promise<Chain> => {
  const { content, blocks, otherOperations, slowNodes, slowMs } = chainJob.parse(input);
  const devnet = await Devnet.start({ unsigned: true });
  const makeBlocks = content === 'social' ? makeSocialBlocks : makeDelegationBlocks;
  makeBlocks(devnet, blocks, otherOperations);
  const recording = new Recording(devnet.url);
  const url = await startRecordedNode(recording, 0);
  const slowUrls: string[] = [];
  for (let made = 0; made < slowNodes; made += 1) slowUrls.push(await startRecordedNode(recording, slowMs));
  return { url, slowUrls, lastBlock: devnet.chain.lastIrreversible };
});
