import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** What `apps/<app>/.env.example` shows. */
export interface ExampleSettings {
  /** All names, sorted; one that stands there twice is there twice. */
  names: string[];
  /** What has to be given. */
  set: Record<string, string>;
  /** In comments: the defaults. */
  commentedOut: Record<string, string>;
}

export function exampleSettings(app: string): ExampleSettings {
  const text = readFileSync(path.join(root, 'apps', app, '.env.example'), 'utf8');
  const linesOf = (pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '', value = '']) => [name, value] as const);
  const set = linesOf(/^([A-Z][A-Z_]+)=(.*)$/gm);
  const commentedOut = linesOf(/^# ([A-Z][A-Z_]+)=(.*)$/gm);
  return {
    names: [...set, ...commentedOut].map(([name]) => name).sort(),
    set: Object.fromEntries(set),
    commentedOut: Object.fromEntries(commentedOut),
  };
}
