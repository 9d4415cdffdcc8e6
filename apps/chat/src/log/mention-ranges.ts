import { accountName, maxMentionRanges, maxMentions, type Mention } from '@waggle/contracts';

/** `@all` and `@here` mention the members of a conversation, or those who are online. */
const everybody: readonly string[] = ['all', 'here'];

/**
 * A letter or digit of scripts with spaces between words: beside it, `@` is part of a word, as in an email address.
 * Other scripts write `@name` without spaces, as in `@alice님`.
 */
const word = String.raw`\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_@`;

/**
 * Parts of a text that begin like code, a link or a mention, in the order of precedence. A mention does not follow a
 * character of a path, as in `hive.blog/@alice`. A name ends with a letter or digit, so that it lacks the full stop of
 * a sentence.
 */
const part = new RegExp(
  String.raw`\x60+|(?:https?:\/\/|www\.)\S+|(?<![${word}/.-])@([a-z](?:[a-z0-9.-]{0,14}[a-z0-9])?)(?![${word}])`,
  'giu',
);

/**
 * Finds the mentions in a text, outside code and links, of at most `maxMentions` accounts. Whether an account may be
 * mentioned is not checked.
 */
export function findMentionRanges(text: string): Mention[] {
  if (!text.includes('@')) return [];
  const mentions: Mention[] = [];
  const names = new Set<string>();
  /** The numbers of backticks that do not occur again: each is searched for once. */
  const unclosed = new Set<number>();
  part.lastIndex = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    const { 0: found, 1: name, index: offset } = match;
    if (found.startsWith('`')) part.lastIndex = endOfCode(text, part.lastIndex, found.length, unclosed);
    if (name === undefined) continue;
    const username = name.toLowerCase();
    const isEverybody = everybody.includes(username);
    if (!isEverybody && !accountName.safeParse(username).success) continue;
    names.add(username);
    if (names.size > maxMentions || mentions.length === maxMentionRanges) break;
    mentions.push({ offset, length: found.length, username: isEverybody ? null : username });
  }
  return mentions;
}

/**
 * Returns where code ends that begins with a number of backticks: after the next sequence of as many, as in CommonMark
 * (6.1). Without one, these backticks are text.
 */
function endOfCode(text: string, begin: number, backticks: number, unclosed: Set<number>): number {
  if (unclosed.has(backticks)) return begin;
  const sequence = /`+/g;
  sequence.lastIndex = begin;
  for (let match = sequence.exec(text); match !== null; match = sequence.exec(text))
    if (match[0].length === backticks) return sequence.lastIndex;
  unclosed.add(backticks);
  return begin;
}
