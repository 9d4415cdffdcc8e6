import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sources = path.join(__dirname, '../../src');

/** Finds the methods in the sources that run a statement of TypeORM's repositories, such as `SessionsStore.create`. */
export function findRepositoryCalls(): string[] {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .flatMap((name) => callsIn(readFileSync(path.join(sources, name), 'utf8')));
}

/** Reads the sources as oxfmt formats them: methods are indented by two spaces, and their statements by more. */
function callsIn(text: string): string[] {
  const repositories = [...text.matchAll(/(\w+): Repository</g)].map(([, name]) => name);
  if (repositories.length === 0) return [];
  const isCall = new RegExp(`\\bthis\\.(${repositories.join('|')})\\b`);
  const calls: string[] = [];
  let [className, method] = ['', ''];
  for (const line of text.split('\n')) {
    className = /^(?:export )?class (\w+)/.exec(line)?.[1] ?? className;
    method = /^ {2}(?:(?:private|protected|async|override) )*([\w#]+)\(/.exec(line)?.[1] ?? method;
    if (isCall.test(line)) calls.push(`${className}.${method}`);
  }
  return calls;
}
