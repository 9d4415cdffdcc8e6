import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import path from 'node:path';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves the files of a folder below a path on a free port, without rewriting any address, as a static host does. */
export class StaticServer {
  private readonly base: string;
  private readonly server: Server;

  constructor(folder: string, base: string) {
    this.base = base;
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const inFolder = path.posix.relative(base, decodeURIComponent(pathname));
      const file = path.join(folder, inFolder, pathname.endsWith('/') ? 'index.html' : '');
      readFile(file).then(
        (content) => response.setHeader('Content-Type', types[path.extname(file)] ?? 'image/png').end(content),
        () => response.writeHead(404).end(),
      );
    });
  }

  /** Returns the address of the folder. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.base}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}
