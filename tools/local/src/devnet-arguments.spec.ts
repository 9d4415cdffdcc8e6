import { PlainError } from '@waggle/running';
import { readArguments } from './devnet-arguments';

it('starts a new chain with one node by default', () => {
  expect(readArguments([])).toEqual({ nodes: ['hived'], recorded: undefined });
});

it('reads the recorded chain, its head and the software of the nodes', () => {
  const args = ['--recorded', 'folder', '--chain', 'million', '--head', '1000100', '--nodes', 'haf,hived-1.25'];
  expect(readArguments(args)).toEqual({
    nodes: ['haf', 'hived-1.25'],
    recorded: { folder: 'folder', chain: 'million', head: 1_000_100 },
  });
  expect(readArguments(['--recorded', 'folder']).recorded).toEqual({ folder: 'folder', chain: 'first' });
});

it.each([
  [['--nodes', 'steemd'], '"steemd" is none of hived, haf, hived-1.25'],
  [['--chain', 'first'], '--chain and --head need --recorded'],
  [['--recorded', 'folder', '--chain', 'last'], '"last" is none of first, million, collage'],
  [['--recorded', 'folder', '--head', 'x'], '"x" is no number'],
])('rejects %j with a plain error', (args, line) => {
  expect(() => readArguments(args)).toThrow(PlainError);
  expect(() => readArguments(args)).toThrow(line);
});
