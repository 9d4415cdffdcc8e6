/** The beginning of a name before the cursor. */
export interface Completion {
  kind: 'mention' | 'emoji';
  /** What follows the `@` or `:`. */
  query: string;
  /** Where the `@` or `:` is, in UTF-16 units. */
  start: number;
}

/** What follows is part of the name: the cursor is inside of it. */
const nameCharacter = /^[\p{L}\p{N}_]/u;

/** A name begins after a space or an opening bracket, so `a@b.example` and `12:30` contain none. */
const beginning = /(?:^|[\s([{"'“‘«])(?:@(?<mention>[a-z0-9.-]{0,16})|:(?<emoji>[\p{L}\p{N}_+-]{2,32}))$/iu;

/** Returns the unfinished name before a position, if there is one. */
export function completionAt(text: string, position: number): Completion | undefined {
  if (nameCharacter.test(text.slice(position, position + 2))) return undefined;
  // 32 characters, the `@` or `:`, and the character before it.
  const before = text.slice(Math.max(0, position - 34), position);
  const { mention, emoji } = beginning.exec(before)?.groups ?? {};
  const query = mention ?? emoji;
  if (query === undefined) return undefined;
  return { kind: mention === undefined ? 'emoji' : 'mention', query, start: position - query.length - 1 };
}
