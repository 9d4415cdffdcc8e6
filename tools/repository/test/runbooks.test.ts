import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const documents = [
  'docs/scaling.md',
  'docs/upgrading.md',
  ...readdirSync(path.join(root, 'docs/runbooks')).map((name) => `docs/runbooks/${name}`),
];

/** Returns the anchors that GitHub generates for headings. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each<[string, string[]]>([
  ['chat', ['Fail over']],
  ['delegation', ['Start', 'Drain']],
  ['video-auth', []],
  ['rpc-gateway', ['Start', 'Drain', 'Import a snapshot', 'Reindex']],
])('the runbook of %s has all sections, and one for each alert', (app, itsOwn) => {
  const headings = [...read(`docs/runbooks/${app}.md`).matchAll(/^#{2,3} (.+)$/gm)].map(([, heading]) => heading);
  const alerts = [...read(`k8s/base/${app}/alerts.yaml`).matchAll(/- alert: (\w+)/g)].map(([, alert]) => alert);
  const sections = ['Back up', 'Rotate keys', 'Scale', 'Alerts', ...itsOwn];
  expect(headings.toSorted()).toEqual([...sections, ...alerts].toSorted());
});

it.each(documents)('the links of %s work', (document) => {
  const text = read(document);
  for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
    if (/^https?:/.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? path.join(root, document) : path.resolve(root, path.dirname(document), file);
    expect([target, existsSync(found)]).toEqual([target, true]);
    if (anchor !== undefined)
      expect([target, anchorsOf(readFileSync(found, 'utf8')).includes(anchor)]).toEqual([target, true]);
  }
});
