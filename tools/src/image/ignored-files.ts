/**
 * What a `.dockerignore` keeps from the engine: of the patterns that match a path or a folder above it, the last one counts.
 *
 * @returns whether a path, relative to the folder that is sent, is sent
 */
export function readIgnoredFiles(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  const rules = lines.map((line) => ({
    isSent: line.startsWith('!'),
    matches: matcher(line.replace(/^!/, '').trim()),
  }));
  return (path) => rules.findLast(({ matches }) => matches.test(path))?.isSent ?? true;
}

function matcher(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\?]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*/g, (stars) => ({ '**/': '(?:.*/)?', '**': '.*' })[stars] ?? '[^/]*');
  return new RegExp(`^${source}(?:/.*)?$`);
}
