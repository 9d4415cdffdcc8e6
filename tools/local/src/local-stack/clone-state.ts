import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newTokenKey, repositoryFolder } from '@waggle/running';
import { runtimeFolder } from '@waggle/testing';

/** Stores secrets and data of this clone between runs, readable only for its user. */
export class CloneState {
  readonly folder: string;

  /** The folder is `.waggle` in the clone, unless WAGGLE_STATE names another one. */
  constructor(environment: NodeJS.ProcessEnv) {
    const folder = path.resolve(repositoryFolder, environment['WAGGLE_STATE'] ?? '.waggle');
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** Claimed by the running `npm start` of this clone. */
  get claimedFolder(): string {
    return path.join(this.folder, 'running');
  }

  /** The password of PostgreSQL's administrator. */
  postgresPassword(): string {
    return readFileSync(
      this.stored('postgres-password', () => randomBytes(16).toString('hex')),
      'utf8',
    );
  }

  /**
   * The data folder of PostgreSQL. For root it is outside the clone, which the database's user may be unable to read,
   * under a random name that is stored in the clone.
   */
  postgresData(): string {
    if (process.getuid?.() !== 0) return path.join(this.folder, 'postgres');
    const id = readFileSync(
      this.stored('id', () => randomBytes(8).toString('hex')),
      'utf8',
    );
    return path.join(runtimeFolder(), 'clones', id, 'postgres');
  }

  /** A private ES256 key in PEM. Tokens stay valid across restarts. */
  tokenKeyFile(service: string): string {
    return this.stored(`${service}-token-key.pem`, newTokenKey);
  }

  /** Returns the path of a file, which is created atomically if it does not exist. */
  private stored(name: string, make: () => string): string {
    const file = path.join(this.folder, name);
    if (!existsSync(file)) {
      const unfinished = `${file}.${process.pid}`;
      writeFileSync(unfinished, make(), { mode: 0o600 });
      renameSync(unfinished, file);
    }
    return file;
  }
}
