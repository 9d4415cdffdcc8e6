import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryFolder } from '@waggle/running';
import { runtimeFolder } from '@waggle/testing';

/** What this clone keeps between runs; nobody else may look into it. */
export class CloneState {
  readonly folder: string;

  /** The folder is `.waggle` in the clone, or another one that WAGGLE_STATE names. */
  constructor(environment: NodeJS.ProcessEnv) {
    const folder = path.resolve(repositoryFolder, environment['WAGGLE_STATE'] ?? '.waggle');
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Names the one `npm start` of this clone. */
  get claimFile(): string {
    return path.join(this.folder, 'start');
  }

  /** Of the administrator of the clone's PostgreSQL. */
  postgresPassword(): string {
    return readFileSync(
      this.#kept('postgres-password', () => randomBytes(16).toString('hex')),
      'utf8',
    );
  }

  /**
   * Where the messages are. As root it is outside of the clone, which may lie where the database's user cannot go, under
   * a name that belongs to this clone.
   */
  postgresData(): string {
    if (process.getuid?.() !== 0) return path.join(this.folder, 'postgres');
    const id = readFileSync(
      this.#kept('id', () => randomBytes(8).toString('hex')),
      'utf8',
    );
    return path.join(runtimeFolder(), 'clones', id, 'postgres');
  }

  /** A private ES256 key in PEM: tokens stay good over restarts. */
  tokenKeyFile(service: string): string {
    return this.#kept(`${service}-token-key.pem`, () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    );
  }

  /** The path of a file that is made once, complete or not at all. */
  #kept(name: string, make: () => string): string {
    const file = path.join(this.folder, name);
    if (!existsSync(file)) {
      const unfinished = `${file}.${process.pid}`;
      writeFileSync(unfinished, make(), { mode: 0o600 });
      renameSync(unfinished, file);
    }
    return file;
  }
}
