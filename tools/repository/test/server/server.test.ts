import { createHash } from 'node:crypto';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Devnet } from '@waggle/devnet';
import { GuardedProcess, until } from '@waggle/testing';
import { longDescribe } from '@waggle/testing/long-form';
import { type LoadReport } from '../../src/server/load';
import { packServer } from '../../src/release/server-archive';
import { DebianMachine } from './debian-machine';

const root = path.resolve(__dirname, '../../../..');

/** `LONG=true npx jest server`, as root with debootstrap and systemd-container; fifteen minutes. */

const timeoutMs = 1_800_000;

/** The tables with what users see. */
const tables = ['conversation', 'message', 'member', 'event', 'account_stream', 'friendship', 'setting', 'session'];

longDescribe('a Debian server', () => {
  let machine: DebianMachine;
  let devnet: Devnet;
  let url: string;
  beforeAll(async () => {
    const archive = packServer(root);
    const sumOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
    const sum = sumOf(archive);
    expect(sumOf(packServer(root))).toBe(sum);
    machine = await DebianMachine.boot(['caddy', 'postgresql', 'redis-server', 'openssl', 'iproute2', 'procps']);
    cpSync(archive, machine.file('root/waggle-0.1.0.tar.gz'));
    devnet = await Devnet.start({ host: machine.hostAddress });
    url = `https://${machine.address}`;
  }, timeoutMs);
  afterAll(async () => {
    await machine.stop();
    await devnet.stop();
  }, timeoutMs);

  /** Writes and sends requests during some work. */
  async function underLoad(work: () => Promise<unknown>): Promise<LoadReport> {
    let isWriting = false;
    const authority = machine.file('var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt');
    const script = path.join(__dirname, '../../dist/server/load.js');
    const clients = await GuardedProcess.start(process.execPath, [script, url], {
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 300_000,
      env: { NODE_EXTRA_CA_CERTS: authority },
      onLine: (line) => {
        isWriting ||= line === 'writing';
      },
    });
    await until(() => isWriting || clients.endedWith !== undefined, { actual: () => clients.lastLines });
    try {
      await work();
    } finally {
      await clients.stop();
    }
    return JSON.parse(clients.lastLines.at(-1) ?? '') as LoadReport;
  }

  /** Packs the release again under another version, after a change of its folder. */
  const packAs = (version: string, change: string) =>
    machine.run(
      `rm -rf new && mkdir new && tar -xzf waggle-0.1.0.tar.gz -C new && mv new/waggle-0.1.0 new/waggle-${version}
      (cd new/waggle-${version} && ${change}) && tar -czf waggle-${version}.tar.gz -C new waggle-${version}`,
    );

  /** The folders that the instances run from. */
  const running = () =>
    machine.run('for pid in $(pgrep --exact node); do readlink "/proc/$pid/cwd"; done | sort --unique');

  async function digest(): Promise<string> {
    const rows = "md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), ''))";
    const query = tables.map((table) => `SELECT '${table}', count(*), ${rows} FROM ${table} t;`).join(' ');
    const psql = 'runuser --user postgres -- psql --no-align --tuples-only --dbname=chat';
    return await machine.run(`${psql} <<'SQL'\n${query}\nSQL`);
  }

  const nothingLost = { unconfirmed: [], lost: [], failed: [] };

  it(
    'is installed, serves with TLS, and is upgraded and rolled back under load without a lost request',
    async () => {
      await machine.run(
        `tar -xzf waggle-0.1.0.tar.gz -C /opt
        /opt/waggle-0.1.0/server/configure /etc/waggle ${url} internal
        sed -i s,^HIVE_API_NODES=.*,HIVE_API_NODES=${devnet.url}, /etc/waggle/settings.env
        printf '%s=1000000\\n' REQUESTS_PER_MINUTE FRAMES_PER_SECOND FRAMES_BURST >> /etc/waggle/settings.env
        /opt/waggle-0.1.0/server/waggle install ${url} internal`,
      );
      await packAs('0.1.1', 'touch changed');
      await packAs('0.1.2', 'rm apps/chat/dist/main.js');

      const report = await underLoad(async () => {
        await pause(3_000);
        await machine.run('waggle upgrade waggle-0.1.1.tar.gz');
        expect(await running()).toBe('/opt/waggle-0.1.1/apps/chat\n');
        await expect(machine.run('waggle upgrade waggle-0.1.2.tar.gz')).rejects.toThrow('/opt/waggle-0.1.1 runs again');
        expect(await running()).toBe('/opt/waggle-0.1.1/apps/chat\n');
        await pause(3_000);
      });
      console.log(report);
      expect(report).toMatchObject(nothingLost);
      expect(report.reconnects).toBeGreaterThanOrEqual(4);
      expect(report.sent).toBeGreaterThan(200);
    },
    timeoutMs,
  );

  it(
    'restores a dropped database from a dump, and a destroyed server from the WAL',
    async () => {
      await machine.run('waggle backup');
      const backedUp = await digest();
      expect(await underLoad(() => pause(3_000))).toMatchObject(nothingLost);
      const dump = '/var/backups/waggle/chat-*.dump';
      await expect(machine.run(`waggle restore ${dump}`)).rejects.toThrow('The database chat is not empty.');
      await machine.run("runuser --user postgres -- psql --command='DROP DATABASE chat WITH (FORCE)' postgres");
      await machine.run(`waggle restore ${dump}`);
      expect(await digest()).toBe(backedUp);

      expect(await underLoad(() => pause(3_000))).toMatchObject(nothingLost);
      const latest = await digest();
      expect(latest).not.toBe(backedUp);
      await machine.run(
        `pkill -KILL --uid postgres --exact postgres
        while pgrep --uid postgres --exact postgres; do sleep 0.1; done
        rm -r /var/lib/postgresql/*/main`,
      );
      await machine.run('waggle recover');
      expect(await digest()).toBe(latest);
      expect(await underLoad(() => pause(3_000))).toMatchObject(nothingLost);
      await machine.run('waggle backup');
    },
    timeoutMs,
  );
});
