import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { build, type Plugin } from 'esbuild';

const examples = path.join(repositoryFolder, 'libs/chat-element/examples');

/** The address in the examples. */
const exampleUrl = 'https://chat.example';

const types: Record<string, string> = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/** Serves the built examples of chat-element on an origin of their own. */
export class ExamplePages {
  private readonly files = new Map<string, string>();
  private readonly server: Server;

  constructor() {
    this.server = createServer(({ url = '' }, response) => {
      const file = this.files.get(url);
      const type = types[path.extname(url)] ?? 'text/plain';
      response.writeHead(file === undefined ? 404 : 200, { 'Content-Type': `${type}; charset=utf-8` }).end(file);
    });
  }

  /** @returns the origin */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Adds the plain page. @param chatUrl the service whose module it loads @param modules others that it loads */
  addPlain(chatUrl: string, modules: readonly string[] = []): void {
    const page = read('plain.html').replace('src="/', `src="${chatUrl}/`).replace('server="/"', `server="${chatUrl}"`);
    const scripts = modules.map((url) => `<script type="module" src="${url}"></script>`).join('');
    this.files.set('/plain.html', page.replace('</head>', `${scripts}</head>`));
    this.files.set('/plain.css', read('plain.css'));
  }

  add(url: string, text: string): void {
    this.files.set(url, text);
  }

  /** Bundles an example as its readers do. It loads the sign-in methods when they are used. */
  async addBundle(name: string, entry: string, chatUrl: string, plugins: Plugin[] = []): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: { [name]: path.join(examples, entry) },
      bundle: true,
      splitting: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      jsx: 'automatic',
      outdir: '/',
      logLevel: 'error',
      plugins,
    });
    for (const { path: file, text } of outputFiles) this.files.set(file, text.replaceAll(exampleUrl, chatUrl));
    const script = `<script type="module" src="${name}.js"></script>`;
    this.files.set(
      `/${name}.html`,
      `<!doctype html><html lang="en"><title>${name}</title><div id="root"></div>${script}`,
    );
  }
}

/** Compiles components of Svelte. */
export const svelte: Plugin = {
  name: 'svelte',
  setup(plugins) {
    plugins.onLoad({ filter: /\.svelte$/ }, async ({ path: file }) => {
      const { compile } = await import('svelte/compiler');
      const { js, warnings } = compile(readFileSync(file, 'utf8'), { filename: file, generate: 'client' });
      expect(warnings).toEqual([]);
      return { contents: js.code };
    });
  },
};

function read(name: string): string {
  return readFileSync(path.join(examples, name), 'utf8');
}
