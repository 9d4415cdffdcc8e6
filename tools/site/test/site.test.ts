import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { launchBrowser } from '@waggle/testing/browser';
import { longDescribe } from '@waggle/testing/long-form';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { StaticServer } from './support/static-server';

/** Building takes 40 s of CPU time: `LONG=true npx jest site`. */

const folder = path.resolve(__dirname, '../dist/tested');
/** A path as on GitHub Pages. */
const base = '/waggle/';
const vitepress = path.join(path.dirname(require.resolve('vitepress/package.json')), 'bin/vitepress.js');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const shown = ['index.html', 'apps/chat/index.html', 'docs/api/chat.openapi.json.html', 'docs/chat-features.html'];

longDescribe('the built site', () => {
  const server = new StaticServer(folder, base);
  const requested: string[] = [];
  const failures: string[] = [];
  let url: string;
  let browser: Browser;

  beforeAll(async () => {
    const args = [vitepress, 'build', `--base=${base}`, `--outDir=${folder}`];
    await promisify(execFile)(process.execPath, args, { cwd: path.resolve(__dirname, '..') });
    url = await server.start();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** Opens a page in a window of its own, with reduced motion. */
  async function open(page: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const opened = await context.newPage();
    opened.on('request', (request) => requested.push(request.url()));
    opened.on('pageerror', (error) => failures.push(error.message));
    opened.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
    await opened.goto(`${url}${page}`, { waitUntil: 'networkidle' });
    return opened;
  }

  it('has the page and the anchor of every link', () => {
    const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
    const html = [...files].filter((file) => file.endsWith('.html'));
    const texts = new Map(html.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
    const anchors = new Map(
      [...texts].map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const broken: string[] = [];
    let count = 0;
    for (const [file, text] of texts)
      for (const [, link = ''] of text.matchAll(/ (?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(link, `http://site${base}${file}`);
        if (origin !== 'http://site') continue;
        count += 1;
        const target = path.posix.relative(base, decodeURIComponent(pathname).replace(/\/$/, '/index.html'));
        const anchor = decodeURIComponent(hash).slice(1);
        if (!files.has(target) || (anchor !== '' && anchors.get(target)?.has(anchor) !== true))
          broken.push(`${file}: ${link}`);
      }
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(10_000);
  });

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    for (const page of shown) {
      const opened = await open(page, { colorScheme });
      await opened.evaluate(axe);
      const violations = await opened.evaluate<string[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 120)))`,
      );
      expect([page, violations]).toEqual([page, []]);
      await opened.context().close();
    }
  });

  it.each([320, 768, 1280])('fits into a window %s pixels wide', async (width) => {
    for (const page of shown) {
      const opened = await open(page, { viewport: { width, height: 800 } });
      expect([page, await opened.evaluate('document.documentElement.scrollWidth')]).toEqual([page, width]);
      await opened.context().close();
    }
  });

  it.each([
    ['Fail over', 'docs/runbooks/chat.html'],
    ['bridge.get_follow_list', 'docs/api/rpc-gateway.openrpc.json.html'],
    ['/messages/mentions', 'docs/api/chat.openapi.json.html'],
  ])('finds %s', async (text, page) => {
    const opened = await open('index.html');
    await opened.keyboard.press('Control+k');
    await opened.locator('#localsearch-input').fill(text);
    await opened.locator(`.results a[href*="${page}"]`).first().waitFor();
    await opened.context().close();
  });

  it('makes no request to another host', () => {
    expect(requested.length).toBeGreaterThan(50);
    expect(requested.filter((address) => !address.startsWith(url) && !address.startsWith('data:'))).toEqual([]);
    expect(failures).toEqual([]);
    const html = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.(?:html|css)$/.test(file),
    );
    const foreign = html.flatMap((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      return [...text.matchAll(/(?:<(?:link|script|img|iframe)\b[^>]*(?:href|src)="|url\(["']?)https?:[^>]*/g)];
    });
    expect(foreign).toEqual([]);
  });
});
