import { migrateService, OwnProcess, PlainError, type Running, startService } from '@waggle/running';
import {
  AlreadyClaimedError,
  claim,
  type PostgresServer,
  provideDatabase,
  startPostgres,
  withDatabase,
} from '@waggle/testing';
import { escapeIdentifier } from 'pg';
import { devnetNodes, devnetPort, portOf, requireFreePorts } from '../ports';
import { type CloneState } from './clone-state';
import { type Program } from './programs';
import { type StartProgress } from './start-progress';
import { userSettings, userSettingsText } from './user-settings';

const devnetTimeoutMs = 60_000;

/** The services end within 35 s of SIGTERM. */
const stopTimeoutMs = 40_000;

/**
 * Starts PostgreSQL, the devnet and the services. The command is stopped if one of them ends by itself.
 *
 * @throws PlainError if a port is taken, another stack of this clone runs, or a program does not start
 */
export async function startStack(
  running: Running,
  programs: readonly Program[],
  state: CloneState,
  progress: StartProgress,
): Promise<void> {
  running.use({ stop: claimClone(state) });
  await requireFreePorts(
    programs.map(({ port }) => port),
    process.env,
  );
  for (const line of userSettingsText(programs, process.env)) progress.print(line);
  progress.begin('Starting PostgreSQL');
  const postgres = await startDatabaseServer(running, state);
  for (const program of programs) {
    running.signal.throwIfAborted();
    const started = await startProgram(running, program, postgres, state, progress);
    void started.whenEnded().then((end) => {
      running.stop(started.failure(`ended unexpectedly with ${end}`));
    });
  }
}

/** Returns the number of steps of `startStack`. */
export function countSteps(programs: readonly Program[]): number {
  const migrations = programs.filter(({ service }) => service?.migrates === true);
  return 1 + programs.length + migrations.length;
}

/** @returns releases the claim */
function claimClone(state: CloneState): () => void {
  try {
    return claim(state.claimedFolder);
  } catch (error) {
    if (!(error instanceof AlreadyClaimedError)) throw error;
    throw new PlainError(`npm start runs in this folder already (process ${error.pid}): use it, or stop it first.`);
  }
}

async function startDatabaseServer(running: Running, state: CloneState): Promise<PostgresServer> {
  const options = { dataDir: state.postgresData(), password: state.postgresPassword() };
  const postgres = await startPostgres(options).catch((error: unknown) => {
    throw new PlainError(error instanceof Error ? error.message : String(error));
  });
  // It stops quickly, so it is never killed.
  running.use({ stop: () => postgres.stop() });
  void postgres.whenEnded().then((sentence) => {
    running.stop(new PlainError(sentence));
  });
  return postgres;
}

async function startProgram(
  running: Running,
  { name, port: setting, service }: Program,
  postgres: PostgresServer,
  state: CloneState,
  progress: StartProgress,
): Promise<OwnProcess> {
  const step = `Starting the ${name}`;
  if (service === undefined) {
    progress.begin(step);
    return await startDevnet(running);
  }
  const { app, script, migrates = false, isFresh = false, environment, fill } = service;
  if (isFresh) {
    await withDatabase(postgres.url(), (client) =>
      client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(app)} WITH (FORCE)`),
    );
  }
  const databaseUrl = await provideDatabase(postgres, app);
  if (migrates) {
    progress.begin(`Migrating the database of ${app}`);
    await migrateService(running, app, databaseUrl);
  }
  progress.begin(step);
  const context = { databaseUrl, hiveNodes: devnetUrls(), tokenKeyFile: () => state.tokenKeyFile(app) };
  const { url, process: started } = await startService(
    running,
    app,
    (url) => ({
      LOG_LEVEL: 'warn',
      CORS_ORIGINS: url,
      ...userSettings(app, process.env).passed,
      ...environment({ ...context, url }),
    }),
    {
      port: portOf(setting, process.env),
      script,
      stopTimeoutMs,
      onLine: (line) => {
        progress.print(`${name} | ${line}`);
      },
    },
  );
  await fill?.(url);
  return started;
}

async function startDevnet(running: Running): Promise<OwnProcess> {
  const devnet = await OwnProcess.start(running, {
    name: 'devnet',
    script: 'tools/local/dist/devnet.js',
    scriptArguments: ['--nodes', devnetNodes.join()],
    environment: { [devnetPort.variable]: String(portOf(devnetPort, process.env)) },
    stopTimeoutMs,
  });
  await devnet.line('The devnet is', devnetTimeoutMs);
  return devnet;
}

function devnetUrls(): string {
  const first = portOf(devnetPort, process.env);
  return devnetNodes.map((_software, index) => `http://127.0.0.1:${first + index}`).join();
}
