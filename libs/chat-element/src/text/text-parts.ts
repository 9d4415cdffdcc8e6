import { profileUrl } from './profile-url';

/** A part of a message's text; a link if it has an address. */
export interface TextPart {
  text: string;
  href?: string;
  /** The account or community that the link shows. */
  account?: string;
  community?: string;
}

/** Sites that show Hive. Users write their addresses without a scheme. */
const hiveHosts = [
  '3speak.tv',
  'actifit.io',
  'ecency.com',
  'hive.blog',
  'hiveblocks.com',
  'hivehub.dev',
  'inleo.io',
  'liketu.com',
  'peakd.com',
  'waivio.com',
  'wallet.hive.blog',
];

/**
 * An `@` after such a letter or digit is part of a word, as in an e-mail address. Other scripts may write `@name`
 * without a space before it.
 */
const wordCharacter = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u0300-\u036F\p{N}]`;

/** A community of Hive, without the `#`, and its page. */
const community = String.raw`hive-[1-3]\d{4,6}(?![\p{L}\p{M}\p{N}_-])`;
const communityUrl = 'https://hive.blog/trending/';

/** The beginning of a link. Without a scheme, it is not inside a word, an e-mail address or another address. */
const beginning = new RegExp(
  [
    String.raw`https?:\/\/|`,
    String.raw`(?<!${wordCharacter}[+_%-]?|[\/@=])(?:@|(?<![.#&])#${community}|(?<!\.)(?:`,
    String.raw`www\.(?=[\p{L}\p{M}\p{N}-]+\.[\p{L}\p{N}])|`,
    String.raw`(?:${hiveHosts.join('|').replaceAll('.', String.raw`\.`)})\/))`,
  ].join(''),
  'giu',
);

/**
 * An account name by the rule of `accountName` in libs/contracts, except for its length, with any capitals; one after
 * a full stop begins a sentence. The name does not end inside a word or a longer name, or before another `@`, as in
 * `@alice@example.com`.
 */
const mention = new RegExp(
  String.raw`@[A-Za-z][A-Za-z0-9-]+[A-Za-z0-9](?:\.[a-z][A-Za-z0-9-]+[A-Za-z0-9])*(?!\.[a-z0-9]|[-_]?${wordCharacter}|@)`,
  'uy',
);

/** With the `@`. */
const maxMentionLength = 17;

/**
 * A character that ends an address: white space, a quote, non-ASCII brackets and punctuation, a Markdown marker, a
 * character that changes the direction or is invisible, or an apostrophe that is not between letters or digits.
 */
const terminator =
  /[\s<>"`]|\*\*|~~|(?<![\p{L}\p{M}\p{N}])'|'(?![\p{L}\p{N}])|(?!\p{ASCII})[\p{C}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Terminal_Punctuation}]/uy;

/** What an address does not end with: punctuation, also Hebrew, and opening brackets. */
const trailing = '.,:;!?…–—״׳־([{';
/** Markdown markers, which an address does not end with if it begins after one. */
const markers = '*_~';

/**
 * A host that ends in ASCII before letters of another script: text without spaces, since no top-level domain mixes
 * them.
 */
const hostBeforeText = /^(?:https?:\/\/)?[\w.-]*\.[a-z]{2,}(?::\d{1,5})?(?=[^!-~][^./?#]*(?:[/?#]|$))/iu;

/**
 * A host of letters and digits, or an IPv6 address, and a port: user info and signs that look like `/` would show one
 * host and open another. Limited to 253 characters, as in DNS: `URL` takes quadratic time to parse a long host.
 */
const origin =
  /^https?:\/\/(?:\[[\da-f:.]{2,45}\]|(?:(?![\u0335-\u0338])[\p{L}\p{M}\p{N}._-]){1,253})(?::\d{1,5})?(?:[/?#\\]|$)/iu;

/** Maximum number of links in a message. A page of 50 messages with 444 links each took 2.2 s to render. */
export const maxLinks = 50;

/**
 * Splits a text into plain text and links: addresses of the web, and mentions of accounts and communities. Takes
 * linear time.
 *
 * @param profiles URL of profiles, with `{account}` for the name
 */
export function textParts(text: string, profiles: string, maxCount = maxLinks): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  let searched = 0;
  let linkCount = 0;
  for (const { 0: prefix, index } of text.matchAll(beginning)) {
    if (linkCount >= maxCount) break;
    if (index < searched) continue;
    const link = linkAt(text, index, prefix, profiles);
    searched = index + link.text.length;
    if (link.href === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push(link);
    end = searched;
    linkCount += 1;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Has no `href` if there is no link. */
function linkAt(text: string, start: number, prefix: string, profiles: string): TextPart {
  if (prefix.startsWith('#')) {
    const name = prefix.slice(1).toLowerCase();
    return { text: prefix, href: communityUrl + name, community: name };
  }
  if (prefix !== '@') {
    const address = addressAt(text, start);
    const href = hrefOf(address);
    return href === undefined ? { text: address } : { text: address, href };
  }
  const mentioned = mentionAt(text, start);
  const account = mentioned.slice(1).toLowerCase();
  const href = profileUrl(profiles, account);
  return href === undefined ? { text: mentioned } : { text: mentioned, href, account };
}

/** Returns an empty text if there is no account name. */
function mentionAt(text: string, start: number): string {
  mention.lastIndex = start;
  const [name = ''] = mention.exec(text) ?? [];
  const isCut = text.charAt(mention.lastIndex) === '_' && text.charAt(start - 1) !== '_';
  return isCut || name.length > maxMentionLength ? '' : name;
}

function addressAt(text: string, start: number): string {
  let end = addressEnd(text, start);
  // A regular expression for the end of a text takes quadratic time, enough to freeze the page.
  const opening = text.charAt(start - 1);
  const marker = opening !== '' && markers.includes(opening) ? opening : '';
  while (end > start && (trailing + marker).includes(text.charAt(end - 1))) end -= 1;
  const address = text.slice(start, end);
  return hostBeforeText.exec(address)?.[0] ?? address;
}

/** The index of the first terminator, or of the first bracket or quote that closes one before the address. */
function addressEnd(text: string, start: number): number {
  const open = { ')': 0, ']': 0, '}': 0 };
  const isQuoted = text.charAt(start - 1) === "'";
  for (let end = start; end < text.length;) {
    terminator.lastIndex = end;
    if (terminator.test(text)) return end;
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0);
    if (isQuoted && character === "'") return end;
    if (character === '(') open[')'] += 1;
    else if (character === '[') open[']'] += 1;
    else if (character === '{') open['}'] += 1;
    else if (character === ')' || character === ']' || character === '}') {
      if (open[character] === 0) return end;
      open[character] -= 1;
    }
    end += character.length;
  }
  return text.length;
}

/** The URL that an address opens; undefined if it would show another host, or has a scheme other than HTTP. */
export function hrefOf(link: string): string | undefined {
  const address = /^https?:/iu.test(link) ? link : `https://${link}`;
  return origin.test(address) && URL.canParse(address) ? new URL(address).href : undefined;
}
