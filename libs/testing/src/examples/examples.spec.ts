import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Devnet } from '../devnet/devnet';
import { devnetKeys } from '../devnet/keys';
import { commandsIn, exampleIn, examplesOf } from './markdown';
import { runExample } from './run-example';

it('the settings that the README gives to Jest are those of a project', () => {
  const settings = readFileSync(path.resolve(__dirname, '../../../../apps/chat/jest.config.cjs'), 'utf8');
  const [, ...lines] = exampleIn('libs/testing/README.md', 'Servers for the tests of a project').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(settings).toContain(`\n  ${line}\n`);
});

it('the devnet does all that its README shows', async () => {
  const example = exampleIn('libs/testing/src/devnet/README.md', 'The devnet');
  // Its last line ends it: before that it is looked at.
  const [before = '', stop] = example.split('await devnet.stop();');
  expect(stop).toBe('\n');
  const seen: unknown[] = [];
  const look = 'seen.push(devnet.chain.headNumber ?? 0, devnet.node.calls);';
  await runExample(`${before}${look}\nawait devnet.stop();`, { surroundings: { Devnet, devnetKeys, seen } });
  expect(seen).toEqual([expect.any(Number), expect.any(Map)]);
});

it('finds blocks in lists, and the section that each is in', () => {
  const [first] = examplesOf('k8s/README.md').filter(({ text }) => text.startsWith('kubectl'));
  expect(first).toMatchObject({ language: 'sh', section: 'To production' });
  expect(first?.text).toMatch(/^kubectl .*\nkubectl /);
});

it('takes no example of a section that has none, and commands without their comments', () => {
  const section = 'Services';
  expect(() => exampleIn('README.md', section)).toThrow('README.md has 0 examples in "Services"');
  expect(() => commandsIn('README.md', section)).toThrow('no commands');
  expect(commandsIn('README.md', 'Working on it')).toContain('npm run devnet');
});
