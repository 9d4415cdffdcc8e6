import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');

/** The variables of `apps/<app>/.env.example`. */
export interface ExampleSettings {
  /** All names, sorted, including repeated ones. */
  names: string[];
  /** Required settings. */
  set: Record<string, string>;
  /** Defaults, in comments. */
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
