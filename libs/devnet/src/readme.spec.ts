import { exampleIn, runExample } from '@waggle/testing';
import { Devnet } from './devnet';
import { devnetKeys } from './keys';

it('runs the example of the README', async () => {
  const example = exampleIn('libs/devnet/README.md', 'devnet');
  const [beforeStop = '', stop] = example.split('await devnet.stop();');
  expect(stop).toBe('\n');
  const seen: unknown[] = [];
  const inspect = 'seen.push(devnet.chain.head.number, devnet.node.calls);';
  await runExample(`${beforeStop}${inspect}\nawait devnet.stop();`, { globals: { Devnet, devnetKeys, seen } });
  expect(seen).toEqual([expect.any(Number), expect.any(Map)]);
});
