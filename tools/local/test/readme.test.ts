import { exampleIn } from '@waggle/testing';
import { programs } from '../src/local-stack/programs';
import { readyText } from '../src/local-stack/ready-text';

it('shows what npm start prints', () => {
  const printed = readyText(programs, '/home/you/waggle/.waggle/postgres').split('\n');
  const [output = ''] = exampleIn('README.md', 'What npm start prints').split('\n\n$ npm run chat');
  const lines = (output.split('\nWaggle is ready.\n')[1] ?? '').split('\n');
  expect(lines.at(-1)).toBe('Ctrl-C stops everything.');
  expect(lines.filter((line) => !line.includes('…') && !printed.includes(line))).toEqual([]);
});
