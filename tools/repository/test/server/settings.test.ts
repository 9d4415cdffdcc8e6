import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exampleSettings } from '@waggle/testing';
import { parse } from 'yaml';
import { z } from 'zod';

const server = path.resolve(__dirname, '../../../../docker/server');
const read = (file: string) => readFileSync(path.join(server, file), 'utf8');
const units = readdirSync(path.join(server, 'units')).filter((name) => name.endsWith('.service'));

/** Variables that only Caddy or PostgreSQL reads. */
const others = ['TLS', 'UPSTREAMS', 'POSTGRES_PASSWORD', 'NODE_ENV'];

/** Returns the files that `configure` creates, and their modes. */
function configure(folder: string): Record<string, { text: string; mode: string }> {
  const output = execFileSync(path.join(server, 'configure'), [folder, 'https://chat.example', 'a@chat.example'], {
    encoding: 'utf8',
  });
  expect(output).toBe('');
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const file = path.join(folder, name);
      return [name, { text: readFileSync(file, 'utf8'), mode: (statSync(file).mode & 0o777).toString(8) }];
    }),
  );
}

describe('configure', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-configure-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('creates secrets once, readable for their owner only, and settings that the chat reads', () => {
    const first = configure(folder);
    expect(configure(folder)).toEqual(first);
    expect(Object.entries(first).map(([name, { mode }]) => [name, mode])).toEqual([
      ['secrets.env', '600'],
      ['settings.env', '600'],
    ]);
    // A shell reads the files as systemd does.
    const script =
      '. "$1/settings.env" && . "$1/secrets.env" && printf "%s\\n" "$BASE_URL" "$UPSTREAMS" "$TOKEN_PRIVATE_KEY"';
    const lines = execFileSync('sh', ['-c', script, 'sh', folder], { encoding: 'utf8' }).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'https://chat.example',
      '127.0.0.1:3001 127.0.0.1:3002',
      '-----BEGIN PRIVATE KEY-----',
    ]);
    const names = Object.values(first).flatMap(({ text }) =>
      [...text.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name),
    );
    expect(
      names.filter((name = '') => !others.includes(name) && !exampleSettings('chat').names.includes(name)),
    ).toEqual([]);
  });

  it('creates different secrets on each server', () => {
    const other = mkdtempSync(path.join(tmpdir(), 'waggle-configure-'));
    try {
      const secret = /POSTGRES_PASSWORD='[0-9a-f]{48}'/;
      expect(secret.exec(configure(other)['secrets.env']?.text ?? '')?.[0]).not.toBe(
        secret.exec(configure(folder)['secrets.env']?.text ?? '')?.[0],
      );
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});

it('the units set variables that the chat reads, and run programs that exist', () => {
  expect(units.length).toBeGreaterThan(3);
  for (const unit of units) {
    const text = read(`units/${unit}`);
    const names = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(
      ([, all = '']) => all.match(/[A-Z_]+(?==)/g) ?? [],
    );
    expect([
      unit,
      names.filter((name) => !others.includes(name) && !exampleSettings('chat').names.includes(name)),
    ]).toEqual([unit, []]);
    const own = [...text.matchAll(/\/opt\/waggle\/server\/(\S+)/g)].map(([, name = '']) => name);
    for (const name of own) expect(statSync(path.join(server, name)).isFile()).toBe(true);
  }
});

it('compose.vps.yaml sets variables that the chat reads, and gives it time to drain', () => {
  const chat = z.looseObject({ environment: z.record(z.string(), z.string()), stop_grace_period: z.literal('45s') });
  const composition = z.looseObject({ services: z.looseObject({ 'chat-1': chat, 'chat-2': chat }) });
  const { services } = composition.parse(parse(read('../compose.vps.yaml'), { merge: true }));
  const names = Object.keys(services['chat-1'].environment);
  expect(names.filter((name) => !exampleSettings('chat').names.includes(name))).toEqual([]);
  expect(read('units/waggle-chat@.service')).toContain('\nTimeoutStopSec=45\n');
});

it('the scripts have no syntax errors', () => {
  for (const script of ['configure', 'create-database.sh', 'backup', 'restore', 'waggle', '../vps.sh'])
    expect([script, spawnSync('sh', ['-n', path.join(server, script)], { encoding: 'utf8' }).stderr]).toEqual([
      script,
      '',
    ]);
});

const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

(has('shellcheck') ? it : it.skip)('shellcheck finds nothing in the scripts', () => {
  const scripts = ['configure', 'create-database.sh', 'backup', 'restore', 'waggle', '../vps.sh'];
  expect(spawnSync('shellcheck', scripts, { cwd: server, encoding: 'utf8' }).stdout).toBe('');
});

(has('caddy') ? it : it.skip)('Caddy accepts the Caddyfile', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'waggle-caddy-'));
  try {
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      BASE_URL: 'https://chat.example',
      TLS: 'internal',
      UPSTREAMS: 'a:1 b:2',
    };
    const { status, stderr } = spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile'], {
      cwd: server,
      env,
      encoding: 'utf8',
    });
    expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  } finally {
    rmSync(home, { recursive: true });
  }
});
