import { readIgnoredFiles } from './ignored-files';

it('sends what the last matching pattern lets through', () => {
  const isSent = readIgnoredFiles('# a comment\n*\n!apps\n!package.json\n**/dist\n**/*.spec.ts\n**/.env*\n');
  const paths = ['package.json', 'apps', 'apps/chat/src/main.ts', 'apps/chat/src/distance.ts'];
  expect(paths.filter((path) => !isSent(path))).toEqual([]);
  const kept = ['README.md', 'docs/a.md', 'apps/chat/dist/main.js', 'apps/a.spec.ts', 'apps/chat/.env.example'];
  expect(kept.filter(isSent)).toEqual([]);
});
