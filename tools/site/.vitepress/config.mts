import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { pageOf, Pages } from '../src/pages.js';

const root = path.resolve(import.meta.dirname, '../../..');
const pages = new Pages(root);
pages.generate();

const mark = `data:image/svg+xml,${encodeURIComponent(readFileSync(path.join(root, 'libs/design/src/mark.svg'), 'utf8'))}`;

/** Forbids requests to other hosts. VitePress has inline scripts and styles. */
const policy = "default-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'";

export default defineConfig({
  title: 'Waggle',
  description: 'A self-hosted backend for Hive front ends, wallets and bots',
  srcDir: root,
  outDir: path.join(root, 'tools/site/dist/site'),
  cacheDir: path.join(root, 'tools/site/dist/cache'),
  srcExclude: ['**/{coverage,.*}/**'],
  ignoreDeadLinks: 'localhostLinks',
  rewrites: (page) => pageOf(pages.sourceOf(page)),
  head: [
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: policy }],
    ['link', { rel: 'icon', href: mark }],
  ],
  markdown: {
    // Documents contain no HTML: `<name>` is text, as in GitHub's preview.
    html: false,
    languageAlias: { cjs: 'js', mjs: 'js', example: 'ini', redis: 'ini' },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // GitHub's anchors, which documents use.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (md) => {
      md.core.ruler.push('repository-links', ({ tokens, env }: { tokens: Token[]; env: Environment }) => {
        const page = pages.sourceOf(path.relative(root, env.realPath ?? env.path));
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const isPage = token.type === 'link_open' && token.attrGet('target') === null;
          const link = isPage ? token.attrGet('href') : null;
          const address = link === null ? undefined : pages.addressOf(decodeURI(link), page);
          if (address !== undefined) token.attrSet('href', address);
        }
      });
    },
  },
  themeConfig: {
    logo: mark,
    search: { provider: 'local' },
    outline: [2, 3],
    nav: pages.groups.slice(0, 6).map(({ text, items: [first] }) => ({ text, link: linkOf(first?.file) })),
    sidebar: pages.groups.map(({ text, items }) => ({
      text,
      items: items.map((item) => ({ text: item.text, link: linkOf(item.file) })),
    })),
  },
  buildEnd: ({ outDir }) => {
    cpSync(path.join(root, 'docs/api'), path.join(outDir, 'docs/api'), {
      recursive: true,
      filter: (file) => !file.endsWith('.md'),
    });
  },
});

interface Token {
  readonly type: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface Environment {
  readonly path: string;
  readonly realPath?: string;
}

function linkOf(file = ''): string {
  return `/${pageOf(file)}`;
}
