import { type Attachment } from '@waggle/contracts';

/** A character of a script that is written without spaces between words, with its marks, or a Korean syllable. */
const character =
  '[\\u1100-\\u115F][\\u1160-\\u11A7][\\u11A8-\\u11FF]?' +
  '|[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー]&&[\\p{L}\\p{N}]]\\p{M}*';

/** A character as above, or a word of another script. */
const unit = new RegExp(`(?<character>${character})|(?:(?!${character})[\\p{L}\\p{N}\\p{M}])+`, 'gv');

/** Longer words are cut, so that a normalization takes little time. In UTF-16 code units. */
const maxTermLength = 64;

/** The smallest part of a text that can be found: a word, or a character of a script without spaces. */
export interface Unit {
  /** Without case and accents. */
  term: string;
  /** Its range in the text, in UTF-16 code units. */
  start: number;
  end: number;
  isCharacter: boolean;
}

/** Returns the units of a text in order. Punctuation and symbols are none. */
export function unitsOf(text: string): Unit[] {
  return Array.from(text.matchAll(unit), ({ 0: word, index, groups }) => {
    const isCharacter = groups?.['character'] !== undefined;
    return { term: toTerm(word), start: index, end: index + word.length, isCharacter };
  });
}

/** Letters with accents that are common in Latin, Greek and Cyrillic scripts are found without them. */
function toTerm(word: string): string {
  const short = word.slice(0, maxTermLength).toLowerCase();
  // Most words are ASCII.
  if (/^[\0-\x7f]*$/.test(short)) return short;
  return short
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/**
 * Returns the terms that the index stores of a text: each unit and, in scripts without spaces, each pair of adjacent
 * units, since single characters are in most texts.
 */
export function termsOf(units: readonly Unit[]): Set<string> {
  const terms = new Set<string>();
  let before: Unit | undefined;
  for (const each of units) {
    terms.add(each.term);
    const pair = before === undefined ? undefined : pairOf(before, each);
    if (pair !== undefined) terms.add(pair);
    before = each;
  }
  return terms;
}

/** Returns only the terms that a search looks for: pairs instead of their characters. */
export function selectiveTermsOf(units: readonly Unit[]): string[] {
  const pairs = units.map((each, i) => {
    const next = units[i + 1];
    return next === undefined ? undefined : pairOf(each, next);
  });
  const inPairs = (i: number) => pairs[i] !== undefined || pairs[i - 1] !== undefined;
  return [...pairs.filter((pair) => pair !== undefined), ...units.flatMap(({ term }, i) => (inPairs(i) ? [] : [term]))];
}

function pairOf(first: Unit, second: Unit): string | undefined {
  const isPair = first.isCharacter && second.isCharacter && first.end === second.start;
  return isPair ? first.term + second.term : undefined;
}

/** Whether a text has a link. */
export function hasLink(text: string): boolean {
  return /\bhttps?:\/\/[^\s/]/i.test(text);
}

/** The terms of a message that are not in its text. They contain a character that no unit has. */
export const senderTerm = (account: string) => `from:${account}`;
export const featureTerm = (feature: Feature) => `has:${feature}`;

/** What the search needs of a message. */
export interface SearchedMessage {
  sender: string;
  content: string;
  attachments: readonly Attachment[] | null;
}

/** The text without the URLs of the attachments that it ends with. */
export function searchedText({ content, attachments }: SearchedMessage): string {
  const urls = (attachments ?? []).map(({ url }) => url).join('\n');
  return content.endsWith(urls) ? content.slice(0, content.length - urls.length) : content;
}

/** What `has:` finds, and how a message shows it. */
export const features = {
  link: (message: SearchedMessage) => hasLink(searchedText(message)),
  image: ({ attachments }: SearchedMessage) =>
    attachments?.some(({ media_type: type }) => type.startsWith('image/')) === true,
};
export type Feature = keyof typeof features;
export const featureNames: readonly Feature[] = ['link', 'image'];

/** Returns all terms of a message. */
export function termsOfMessage(message: SearchedMessage): Set<string> {
  const terms = termsOf(unitsOf(searchedText(message)));
  terms.add(senderTerm(message.sender));
  for (const name of featureNames) if (features[name](message)) terms.add(featureTerm(name));
  return terms;
}
