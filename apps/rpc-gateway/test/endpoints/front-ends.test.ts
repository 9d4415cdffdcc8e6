import { readFileSync } from 'node:fs';
import path from 'node:path';
import { localMethodNames } from '../../src/local/local-methods';
import { PathTable } from '../../src/routes/path-table';
import { readRouteFile } from '../../src/routes/read-route-file';
import { RouteTable } from '../../src/routes/route-table';

const text = readFileSync(path.join(__dirname, '../../../../docs/front-ends.md'), 'utf8');
const rows = [...text.matchAll(/^\| `([^`]+)` +\|[^|]*\| ([a-z ]+?) +\| `[^`]+` +\|$/gm)].map(
  ([, call = '', answeredBy = '']) => ({ call, answeredBy }),
);
const read = readRouteFile(readFileSync(path.join(__dirname, '../../routes.yaml'), 'utf8'), {
  environment: {},
  localMethods: localMethodNames,
  mayLackNodes: true,
});
if (!('settings' in read)) throw new Error(read.errors.join());
const { routes, paths } = read.settings;

/** What answers a call, by the route table. */
function answererOf(call: string): string {
  if (call.startsWith('/')) return answererOfRoute(new PathTable(paths).find(call.replaceAll(/[{}]/g, ''))?.route.to);
  try {
    return answererOfRoute(new RouteTable(routes).get(call).to);
  } catch {
    return answererOfRoute(undefined);
  }
}

function answererOfRoute(to: string | undefined): string {
  if (to === undefined) return 'not served';
  return to === 'local' ? 'index' : 'nodes';
}

it('docs/front-ends.md says what answers each call', () => {
  // Every row of its tables.
  expect(rows).toHaveLength([...text.matchAll(/^\| `/gm)].length);
  expect(rows.map(({ call }) => ({ call, answeredBy: answererOf(call) }))).toEqual(rows);
});

it('docs/front-ends.md counts the methods of each front end', () => {
  const sections = text.split(/^## /m).slice(1, 3);
  const counts = sections.map((section) => {
    const methods = [...section.matchAll(/^\| `[a-z_-]+\.\w+` .*$/gm)].map(([row]) => row);
    const of = (answerer: string) => methods.filter((row) => new RegExp(`\\| ${answerer} +\\|`).test(row)).length;
    return [String(of('index')), String(of('nodes'))];
  });
  const stated = sections.map((section) => {
    const [, index, nodes] = /(\d+) methods come from the index,\s+(\d+)\s+from\s+nodes/.exec(section) ?? [];
    return [index, nodes];
  });
  expect(stated).toEqual(counts);
});
