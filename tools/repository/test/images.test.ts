import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Devnet } from '@waggle/devnet';
import {
  findFreePort,
  GuardedProcess,
  type PostgresServer,
  provideDatabase,
  readComposition,
  type RedisServer,
  startPostgres,
  startRedis,
  until,
} from '@waggle/testing';
import { longDescribe } from '@waggle/testing/long-form';

const root = path.resolve(__dirname, '../../..');

/** `LONG=true npx jest images`, as root on Debian with the packages buildah and debootstrap; ten minutes. */

/** A build on a busy machine takes five minutes. */
const timeoutMs = 1_800_000;

const baseImage = 'localhost/node';

/** Builds images and runs them, without a daemon, in a storage of its own. */
class Builder {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'waggle-images-'));

  args(...args: string[]): string[] {
    return ['--root', path.join(this.folder, 'storage'), '--runroot', path.join(this.folder, 'run'), ...args];
  }

  run(...args: string[]): string {
    return execFileSync('buildah', this.args(...args), { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  /** Builds the base image: Debian's packages, and the Node.js and npm that run this test. */
  buildBase(): void {
    const system = path.join(this.folder, 'system');
    execFileSync('debootstrap', ['--variant=minbase', '--include=ca-certificates,libatomic1', 'trixie', system]);
    const npm = path.resolve(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()), '../..');
    cpSync(process.execPath, path.join(system, 'usr/local/bin/node'));
    cpSync(npm, path.join(system, 'usr/local/lib/npm'), { recursive: true });
    execFileSync('ln', ['-s', '../lib/npm/bin/npm-cli.js', path.join(system, 'usr/local/bin/npm')]);
    const authorities = process.env['NODE_EXTRA_CA_CERTS'];
    const copied = '/etc/ssl/certs/extra.crt';
    if (authorities !== undefined) cpSync(authorities, path.join(system, copied));
    const container = this.run('from', 'scratch');
    this.run('copy', '--quiet', container, system, '/');
    const variables = [
      'PATH=/usr/local/bin:/usr/bin:/bin',
      ...(authorities === undefined ? [] : [`NODE_EXTRA_CA_CERTS=${copied}`]),
    ];
    this.run('config', ...variables.flatMap((variable) => ['--env', variable]), container);
    this.run('commit', '--quiet', '--rm', container, baseImage);
  }

  /** Builds the image of an app or of the devnet. @returns a container of it */
  build(name: string): string {
    const kind = name === 'devnet' ? ['--target', 'devnet'] : ['--build-arg', `APP=${name}`];
    const options = [
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--layers',
      '--build-arg',
      `NODE_IMAGE=${baseImage}`,
    ];
    this.run('bud', ...options, ...kind, '--file', 'docker/Dockerfile', '--tag', `waggle/${name}`, '.');
    return this.run('from', `waggle/${name}`);
  }

  /** The arguments that run a command in a container, with the network of this machine. */
  command(container: string, environment: Record<string, string>, command: readonly string[]): string[] {
    const variables = Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
    return this.args('run', '--isolation', 'chroot', ...variables, container, '--', ...command);
  }

  remove(): void {
    this.run('rm', '--all');
    // Buildah may have mounted it in place.
    spawnSync('umount', [path.join(this.folder, 'storage/overlay')]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

longDescribe('the images', () => {
  let builder: Builder;
  let postgres: PostgresServer;
  let redis: RedisServer;
  let devnet: Devnet;
  beforeAll(async () => {
    builder = new Builder();
    builder.buildBase();
    [postgres, redis, devnet] = await Promise.all([
      startPostgres({ dataDir: 'temporary' }),
      startRedis(),
      Devnet.start({}),
    ]);
  }, timeoutMs);
  afterAll(async () => {
    await Promise.all([postgres.stop(), redis.stop(), devnet.stop()]);
    builder.remove();
  });

  /** Runs the default command of an image until it responds with this status. */
  async function checkResponse(
    container: string,
    environment: Record<string, string>,
    { url, status }: { url: string; status: number },
  ): Promise<void> {
    const { Docker } = JSON.parse(builder.run('inspect', container)) as {
      Docker: { config: { Entrypoint?: string[]; Cmd: string[] } };
    };
    const command = [...(Docker.config.Entrypoint ?? []), ...Docker.config.Cmd];
    const running = await GuardedProcess.start('buildah', builder.command(container, environment, command), {
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 60_000,
    });
    const statusNow = () =>
      fetch(url).then(
        (response) => response.status,
        () => undefined,
      );
    try {
      await until(async () => (await statusNow()) === status, { actual: statusNow });
    } finally {
      await running.stop();
    }
  }

  it.each(['chat', 'delegation', 'video-auth', 'rpc-gateway'])(
    '%s is built, migrates a database and is healthy',
    async (app) => {
      const container = builder.build(app);
      const urls = { DATABASE_URL: await provideDatabase(postgres, app), HIVE_API_NODES: devnet.url };
      const { environment = {} } = readComposition().get(app) ?? {};
      const variables = { ...environment, ...urls, ...('REDIS_URL' in environment && { REDIS_URL: redis.url }) };
      execFileSync('buildah', builder.command(container, variables, ['node', 'dist/migrate.main.js']));
      const port = await findFreePort();
      const url = `http://127.0.0.1:${port}/health/live`;
      await checkResponse(container, { ...variables, HOST: '127.0.0.1', PORT: String(port) }, { url, status: 200 });
    },
    timeoutMs,
  );

  it(
    'the devnet is built and responds',
    async () => {
      const port = await findFreePort();
      const variables = { HOST: '127.0.0.1', DEVNET_PORT: String(port) };
      await checkResponse(builder.build('devnet'), variables, { url: `http://127.0.0.1:${port}/`, status: 200 });
    },
    timeoutMs,
  );
});
