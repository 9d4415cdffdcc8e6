import { readFile } from 'node:fs/promises';
import { readKeyDocument } from './key-document';
import { KeySet } from './key-set';

/** A file with a key document, which is replaced while the service runs. */
export class KeyFile {
  private text: string | undefined;

  constructor(private readonly path: string) {}

  /**
   * The keys if the file has changed since the last call; otherwise undefined.
   *
   * @throws Error if it cannot be read, or contains no key document
   */
  async readChange(): Promise<KeySet | undefined> {
    const text = await readFile(this.path, 'utf8');
    if (text === this.text) return undefined;
    const keys = new KeySet(readKeyDocument(text));
    this.text = text;
    return keys;
  }
}
