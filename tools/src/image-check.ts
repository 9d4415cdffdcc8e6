import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Devnet, provideDatabase, startPostgres, startRedis } from '@waggle/testing';
import { apps, type AppName, checkApp } from './image/checked-app';
import { imagesOfClone } from './image/clone-images';
import { PlainError } from './plain-error';
import { runAndEnd } from './running/run-and-end';

/** An index that begins with the current state is whole when the blocks of its loading are irreversible. */
const blockIntervalMs = 250;

/**
 * Carries out docker/Dockerfile without an engine and starts every role of every app, or of those that are named, from what
 * comes of it.
 */
runAndEnd(async (running) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { prebuilt: { type: 'boolean', default: false }, node: { type: 'string' } },
  });
  const names = positionals.length > 0 ? positionals.map(appName) : Object.keys(apps).map(appName);

  const folder = mkdtempSync(path.join(tmpdir(), 'waggle-images-'));
  // The image's user has to come in.
  chmodSync(folder, 0o755);
  running.keep({
    stop: () => {
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  });
  const devnet = running.keep(await Devnet.start({ blockIntervalMs }));
  const postgres = running.keep(await startPostgres({ dataDir: 'temporary' }));
  const redis = running.keep(await startRedis());
  const images = imagesOfClone({
    folder,
    isPrebuilt: values.prebuilt,
    onStep: (step) => {
      console.log(`  ${step}`);
    },
  });
  for (const app of names) {
    console.log(app);
    const image = await images.build({ APP: app });
    await checkApp(running, app, image, {
      databaseUrl: await provideDatabase(postgres, app),
      redisUrl: redis.url,
      hiveApiNodes: devnet.url,
      node: values.node,
    });
    console.log(`  ${app} is ready in every role, writes nothing, and drains`);
  }
  return 0;
});

function appName(name: string): AppName {
  const found = Object.keys(apps).find((app): app is AppName => app === name);
  if (found === undefined) throw new PlainError(`There is no app ${name}: ${Object.keys(apps).join(', ')}.`);
  return found;
}
