import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PlainError } from '@waggle/running';

/** A git clone of the repository. */
export class Repository {
  constructor(readonly root: string) {}

  /** Returns the tracked files that may contain the version: path from the root → content. */
  files(): Map<string, string> {
    const tracked = this.git('ls-files', '-z', '--', '*.json', '*.md', '*.yaml', 'docker/*').split('\0');
    return new Map(
      tracked
        .filter((file) => file !== '' && existsSync(path.join(this.root, file)))
        .map((file) => [file, readFileSync(path.join(this.root, file), 'utf8')]),
    );
  }

  hasTag(name: string): boolean {
    return this.git('tag', '--list', name).trim() !== '';
  }

  isClean(): boolean {
    return this.git('status', '--porcelain').trim() === '';
  }

  write(files: ReadonlyMap<string, string>): void {
    for (const [file, text] of files) writeFileSync(path.join(this.root, file), text);
  }

  /** Commits these files and tags the commit. */
  commit(files: readonly string[], message: string, tag: string): void {
    this.git('add', '--', ...files);
    this.git('commit', '--quiet', '--message', message);
    this.git('tag', '--annotate', tag, '--message', message);
  }

  private git(...args: string[]): string {
    try {
      return execFileSync('git', args, { cwd: this.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      throw new PlainError(`git ${args[0] ?? ''} failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
