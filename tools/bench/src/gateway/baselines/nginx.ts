import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Running } from '@waggle/running';
import { describeEnd, findFreePort, GuardedProcess } from '@waggle/testing';

/** Includes folders that are often not in PATH. */
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];

const readyTimeoutMs = 10_000;

/** Starts nginx with one worker in front of the node. @returns its URL; undefined if nginx is not installed */
export async function startNginx(running: Running, nodeUrl: string): Promise<string | undefined> {
  const program = folders.map((folder) => path.join(folder, 'nginx')).find((file) => existsSync(file));
  if (program === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-nginx-'));
  running.use({
    stop: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  });
  const port = await findFreePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, settings(folder, port, new URL(nodeUrl).host));
  const nginx = running.use(
    await GuardedProcess.start(program, ['-p', folder, '-c', file, '-e', path.join(folder, 'error.log')], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 5_000,
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await responds(url))) {
    const end = await Promise.race([nginx.ended, wait(20, undefined)]);
    if (end !== undefined) throw new Error(`nginx exited with ${describeEnd(end)}: ${nginx.lastLines.join(' | ')}`);
    if (Date.now() > deadline) throw new Error('nginx does not respond');
  }
  return url;
}

async function responds(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { method: 'POST', body: '{"id":1,"method":"x"}' });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** As the manual recommends for a proxy: connections to the node are kept alive. */
function settings(folder: string, port: number, node: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${path.join(folder, kind)};`,
  );
  return `
daemon off;
worker_processes 1;
pid ${path.join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join('\n  ')}
  upstream node { server ${node}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 1000000000;
    location / {
      proxy_pass http://node;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;
}
