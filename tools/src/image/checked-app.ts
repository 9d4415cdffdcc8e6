import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { findFreePort } from '@waggle/testing';
import { type Running } from '../running/running';
import { type AssembledImage } from './assembled-image';
import { Container } from './container';

/** What the other side of a service's settings is, for the time of a check. */
export interface Surroundings {
  databaseUrl: string;
  redisUrl: string;
  hiveApiNodes: string;
  node?: string | undefined;
}

/** The apps that an image is made of, and whether they know a Redis. */
export const apps = {
  chat: { hasRedis: true },
  delegation: { hasRedis: false },
  'video-auth': { hasRedis: true },
  'rpc-gateway': { hasRedis: true },
} as const satisfies Record<string, { hasRedis: boolean }>;

export type AppName = keyof typeof apps;

/**
 * Starts every role of an app from its image, one after another as a deployment does: migrations until they are done, the
 * indexer where there is one, the API; waits until they are ready, and ends them.
 *
 * @throws Error where one does not become ready, fails its health check, does not drain, or writes to the image's files
 */
export async function checkApp(
  running: Running,
  app: AppName,
  image: AssembledImage,
  { databaseUrl, redisUrl, hiveApiNodes, node }: Surroundings,
): Promise<void> {
  const before = filesOf(image.folder);
  const begin = async (script: string, environment: Record<string, string>) => {
    const port = String(await findFreePort());
    const settings = { HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'error', DRAIN_DELAY_SECONDS: '0' };
    return await Container.start(running, image, {
      command: [script],
      environment: { ...settings, DATABASE_URL: databaseUrl, ...environment },
      node,
    });
  };
  await (await begin('dist/migrate.js', {})).finished();

  const roles: Container[] = [];
  const chain = { HIVE_API_NODES: hiveApiNodes };
  if (existsSync(path.join(image.folder, image.workingFolder, 'dist/indexer.main.js')))
    roles.push(await begin('dist/indexer.main.js', chain));
  roles.push(await begin('dist/main.js', apps[app].hasRedis ? { ...chain, REDIS_URL: redisUrl } : chain));
  for (const role of roles) {
    await role.ready();
    await role.checkHealth();
  }
  for (const role of roles) await role.drain();

  const written = [...filesOf(image.folder)].filter(([file, state]) => before.get(file) !== state);
  if (written.length > 0) throw new Error(`${app} wrote to its image: ${written.map(([file]) => file).join(', ')}`);
}

/** Every file, with what changes when it is written to. */
function filesOf(folder: string, above = ''): Map<string, string> {
  return new Map(
    readdirSync(path.join(folder, above), { withFileTypes: true }).flatMap((entry): [string, string][] => {
      const relative = path.join(above, entry.name);
      if (entry.isDirectory()) return [...filesOf(folder, relative)];
      const { size, mtimeMs } = lstatSync(path.join(folder, relative));
      return [[relative, `${size} ${mtimeMs}`]];
    }),
  );
}
