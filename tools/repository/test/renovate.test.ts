import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const rule = z.looseObject({
  description: z.string(),
  matchDepNames: z.array(z.string()).default([]),
  allowedVersions: z.string().startsWith('<').optional(),
});
const { packageRules } = z
  .looseObject({ packageRules: z.array(rule) })
  .parse(JSON.parse(read('.github/renovate.json')));
const { packages } = z
  .looseObject({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) })
  .parse(JSON.parse(read('package-lock.json')));

/** The packages that are held back, below which version, and why. */
const held = packageRules.flatMap(({ description, matchDepNames, allowedVersions = '' }) =>
  matchDepNames.map((name) => [name, allowedVersions.slice(1), description] as const),
);

it('packages are below the version at which ADR 6 holds them back', () => {
  const decision = read('docs/adr/0006-versions-are-pinned-and-no-install-script-runs.md');
  expect(held.map(([name]) => name)).toContain('nx');
  for (const [name, limit, reason] of held) {
    const version = packages[`node_modules/${name}`]?.version;
    if (version !== undefined) expect([name, isBelow(version, limit)]).toEqual([name, true]);
    if (reason === 'ADR 6') expect([name, decision.includes(` ${limit.replace(/(\.0)+$/, '')}`)]).toEqual([name, true]);
  }
});

function isBelow(version: string, limit: string): boolean {
  const [one, other] = [version, limit].map((text) => text.split('.').map(Number));
  const difference = one?.map((part, index) => part - (other?.[index] ?? 0)).find((part) => part !== 0);
  return (difference ?? 0) < 0;
}
