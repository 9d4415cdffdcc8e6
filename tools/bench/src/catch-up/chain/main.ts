import { Devnet } from '@waggle/devnet';
import { runBenchProcess } from '../../measure/bench-process';
import { type Chain, chainJob } from '../jobs';
import { makeDelegationBlocks } from './delegation-blocks';
import { NodeRecording, startRecordedNode } from './recorded-node';
import { makeSocialBlocks, socialPayoutSeconds } from './social-blocks';

/** Makes a chain and serves it from one fast node and some slow ones. */
runBenchProcess(async (input): Promise<Chain> => {
  const { content, blocks, otherOperations, slowNodes, slowMs } = chainJob.parse(input);
  const devnet = await Devnet.start({ unsigned: true, payoutSeconds: socialPayoutSeconds });
  const makeBlocks = content === 'social' ? makeSocialBlocks : makeDelegationBlocks;
  makeBlocks(devnet, blocks, otherOperations);
  const recording = new NodeRecording(devnet.url);
  const url = await startRecordedNode(recording, 0);
  const slowUrls: string[] = [];
  for (let made = 0; made < slowNodes; made += 1) slowUrls.push(await startRecordedNode(recording, slowMs));
  return { url, slowUrls, lastBlock: devnet.chain.lastIrreversible };
});
