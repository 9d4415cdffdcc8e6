/** A part of a message's text; a link if it has an address. */
export interface TextPart {
  text: string;
  href?: string;
}

/** Ends at white space, quotes and brackets, and at characters that change the direction or are invisible. */
const address = /https?:\/\/[^\s<>"'`\u061C\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]+/giu;

/** Punctuation at the end of a sentence, which is not part of the address. */
const punctuation = '.,:;!?…';

/** Maximum number of links in a message. A page of 50 messages with 444 links each took 2.2 s to render. */
const maxLinks = 50;

/** Splits a text into plain text and links, at most 50. Only `http` and `https` become links. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  let linkCount = 0;
  for (const { 0: match, index } of text.matchAll(address)) {
    const link = withoutTrailing(match);
    const href = hrefOf(link);
    if (href === undefined) continue;
    if (index > end) parts.push({ text: text.slice(end, index) });
    parts.push({ text: link, href });
    end = index + link.length;
    linkCount += 1;
    if (linkCount === maxLinks) break;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/**
 * Removes the punctuation at the end. Takes linear time: a regular expression for the end of a text takes quadratic time, enough to freeze
 * the page.
 */
function withoutTrailing(match: string): string {
  // A bracket that is closed inside belongs to the address, as in those of Wikipedia.
  const trailing = match.includes('(') ? punctuation : `${punctuation})`;
  let end = match.length;
  while (end > 0 && trailing.includes(match.charAt(end - 1))) end -= 1;
  return match.slice(0, end);
}

function hrefOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href, hostname } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '' ? href : undefined;
}
