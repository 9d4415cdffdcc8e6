import { createLogger } from '../observability/logging';
import { logNodeChanges } from './hive-nodes';

it('logs one line when a node is ejected or restored, with the affected calls and the reason', () => {
  const lines: string[] = [];
  const log = logNodeChanges(createLogger('test', 'info', { write: (line) => lines.push(line) }));
  log({ node: 'one.example:443', change: 'ejected', kinds: ['write'], reason: 'timeout' });
  log({ node: 'one.example:443', change: 'restored', kinds: ['write'] });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 'warn',
      node: 'one.example:443',
      kinds: ['write'],
      reason: 'timeout',
      msg: 'Hive node ejected',
    }),
    expect.objectContaining({ level: 'info', node: 'one.example:443', kinds: ['write'], msg: 'Hive node restored' }),
  ]);
});
