import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderAsyncApi } from './asyncapi';
import { codeBlock, join } from './markdown';
import { navigation } from './navigation';
import { renderOpenApi } from './openapi';
import { renderOpenRpc } from './openrpc';

/** Where pages are generated of files that are not documents. VitePress searches only pages that are files. */
const generatedFolder = 'tools/site/generated-pages';

const renderers = { '.openapi.json': renderOpenApi, '.asyncapi.json': renderAsyncApi, '.openrpc.json': renderOpenRpc };

export interface NavigationGroup {
  readonly text: string;
  readonly items: readonly { readonly text: string; readonly file: string }[];
}

/** The documents of the repository and the pages that are generated of the files that they link. */
export class Pages {
  /** The documents, by path in the repository. */
  readonly documents: readonly string[];
  readonly groups: readonly NavigationGroup[];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
    this.groups = Object.entries(navigation).map(([text, entries]) => ({
      text,
      items: entries.flatMap((entry) => this.matching(entry)).map((file) => ({ text: this.titleOf(file), file })),
    }));
    this.documents = this.groups.flatMap(({ items }) => items.map(({ file }) => file));
  }

  /** Generates a page of every description of an interface, and of every other file or folder that documents link. */
  generate(): void {
    rmSync(path.join(this.root, generatedFolder), { recursive: true, force: true });
    const linked = this.documents
      .filter(isDocument)
      .flatMap((document) =>
        [...this.read(document).matchAll(/\]\(([^)\s]+)\)/g)]
          .map(([, link = '']) => fileOf(link, document))
          .filter((file) => file !== undefined && this.isGenerated(file)),
      );
    for (const file of new Set([...this.documents.filter((one) => !isDocument(one)), ...linked])) {
      if (file === undefined) continue;
      const target = path.join(this.root, generatedFolder, pageOf(file));
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, this.render(file));
    }
  }

  /** Returns the address on the site of what a document links, or undefined if the link leads elsewhere. */
  addressOf(link: string, from: string): string | undefined {
    const file = fileOf(link, from);
    if (file === undefined || file.startsWith('..') || !existsSync(path.join(this.root, file))) return undefined;
    const [, anchor] = link.split('#');
    const target = this.isFolder(file) && this.exists(`${file}/README.md`) ? `${file}/README.md` : file;
    return `/${pageOf(target)}${anchor === undefined ? '' : `#${anchor}`}`;
  }

  /** Returns the file whose page is generated as a given file. */
  sourceOf(page: string): string {
    return path.posix.relative(page.startsWith(generatedFolder) ? generatedFolder : '', page);
  }

  /** Renders the page of a file that is not a document. */
  render(file: string): string {
    const [, renderer] = Object.entries(renderers).find(([ending]) => file.endsWith(ending)) ?? [];
    if (renderer !== undefined)
      return join(
        renderer(JSON.parse(this.read(file))),
        `[The description as JSON](${path.basename(file)}){target="_self"}`,
      );
    const content = this.isFolder(file)
      ? readdirSync(path.join(this.root, file), { recursive: true, encoding: 'utf8' })
          .map((name) => path.posix.join(file, name))
          .filter((one) => !this.isFolder(one))
          .toSorted()
          .map((one) => (this.documents.includes(one) ? `- [${this.titleOf(one)}](/${pageOf(one)})` : `- \`${one}\``))
          .join('\n')
      : codeBlock(this.read(file), path.extname(file).slice(1));
    return join('---\nsearch: false\naside: false\n---', `# ${file}`, content);
  }

  private matching(entry: string): string[] {
    const [folder, pattern] = [path.posix.dirname(entry), path.posix.basename(entry)];
    const [start = '', end] = pattern.split('*');
    if (end === undefined) return [entry];
    return readdirSync(path.join(this.root, folder))
      .filter((name) => name.startsWith(start) && name.endsWith(end))
      .toSorted((one, other) => Number(other === 'README.md') - Number(one === 'README.md') || (one < other ? -1 : 1))
      .map((name) => `${folder}/${name}`);
  }

  private titleOf(file: string): string {
    const text = isDocument(file) ? this.read(file) : this.render(file);
    return /^# (.+)$/m.exec(text)?.[1] ?? file;
  }

  private isGenerated(file: string): boolean {
    if (file.startsWith('..') || isDocument(file) || file.endsWith('.png') || !this.exists(file)) return false;
    return !this.isFolder(file) || !this.exists(`${file}/README.md`);
  }

  private isFolder(file: string): boolean {
    return statSync(path.join(this.root, file)).isDirectory();
  }

  private exists(file: string): boolean {
    return existsSync(path.join(this.root, file));
  }

  private read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8');
  }
}

const isDocument = (file: string) => file.endsWith('.md');

/** Returns the path in the repository that a link of a document names. */
function fileOf(link: string, from: string): string | undefined {
  const [target = ''] = link.split('#');
  if (target === '' || target.startsWith('/') || /^[a-z]+:/.test(target)) return undefined;
  return path.posix.join(path.posix.dirname(from), target).replace(/\/$/, '');
}

/** Returns the page of a file. Servers do not serve names that begin with a dot, and `.html` ends addresses. */
export function pageOf(file: string): string {
  if (isDocument(file)) return file.replace(/(^|\/)README\.md$/, '$1index.md');
  return `${file.replaceAll(/(^|\/)\./g, '$1').replace(/\.html$/, '-html')}.md`;
}
