import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { markdownFiles } from '@waggle/testing';
import { renderOpenApi } from '../src/openapi';
import { Pages } from '../src/pages';

const root = path.resolve(__dirname, '../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const pages = new Pages(root);
const descriptions = readdirSync(path.join(root, 'docs/api'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => `docs/api/${name}`);

it('every document and description of an interface is in the navigation once', () => {
  expect(pages.documents.toSorted()).toEqual([...markdownFiles(), ...descriptions].toSorted());
});

it('every link between documents and to files has a page', () => {
  const links = markdownFiles().flatMap((file) =>
    [...read(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => ({ file, link })),
  );
  const internal = links.filter(({ link }) => !/^(?:https?:|#|…)/.test(link));
  expect(internal.length).toBeGreaterThan(300);
  expect(internal.filter(({ file, link }) => pages.addressOf(link, file) === undefined)).toEqual([]);
});

it.each(descriptions)('the page of %s has every name, description, rule and example', (file) => {
  const page = plain(pages.render(file));
  const missing = [...textsOf(JSON.parse(read(file)))].filter(
    (text) => text !== 'example' && !page.includes(plain(text)),
  );
  expect(missing).toEqual([]);
});

it('a keyword that no page would show is an error', () => {
  const json = read('docs/api/delegation.openapi.json');
  expect(() => renderOpenApi(JSON.parse(json.replace('"pattern"', '"contentEncoding"')))).toThrow('contentEncoding');
});

/** What tools read, and what is shown in another form. */
const unshown =
  /^(?:operationId|\$ref|type|in|protocol|bindings|paramStructure|operations|servers|tags|license|scheme|bearerFormat|x-.*|contact|title|host|action|version|openapi|asyncapi|openrpc|defaultContentType)$/;

/** Returns the names of fields, and all texts and numbers, of a description. */
function* textsOf(value: unknown, key = ''): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* textsOf(item, key);
  else if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) {
      if (['properties', 'headers', 'paths', 'schemas'].includes(key)) yield name;
      if (!unshown.test(name) || ['properties', 'headers'].includes(key)) yield* textsOf(part, name);
    }
  else if (typeof value === 'string' || typeof value === 'number') yield String(value);
}

/** Leaves out how Markdown and JSON write white space, quotes and backslashes. */
function plain(text: string): string {
  return text.replaceAll(/\\n|[\s"\\]/g, '');
}
