import { readFileSync } from 'node:fs';
import path from 'node:path';
import { commandsIn, exampleIn, examplesOf } from './markdown';

it('the Jest settings in the README are those of a project', () => {
  const settings = readFileSync(path.resolve(__dirname, '../../../../apps/chat/jest.config.cjs'), 'utf8');
  const [, ...lines] = exampleIn('libs/testing/README.md', 'Servers for the tests of a project').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(settings).toContain(`\n  ${line}\n`);
});

it('finds blocks in lists, and the section of each', () => {
  const [first] = examplesOf('k8s/README.md').filter(({ text }) => text.startsWith('kubectl'));
  expect(first).toMatchObject({ language: 'sh', section: 'To production' });
  expect(first?.text).toMatch(/^kubectl .*\nkubectl /);
});

it('rejects a section without examples, and strips comments from commands', () => {
  const section = 'Services';
  expect(() => exampleIn('README.md', section)).toThrow('README.md has 0 examples in "Services"');
  expect(() => commandsIn('README.md', section)).toThrow('no commands');
  expect(commandsIn('README.md', 'Working on it')).toContain('npm run devnet');
});
