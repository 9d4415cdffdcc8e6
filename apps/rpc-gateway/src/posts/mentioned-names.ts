/** Matches `@name`, unless it continues a word, link or e-mail address, and without the full stop of a sentence. */
const mention = /(?<![a-z0-9_!#$%&*@\\/])@([a-z0-9.-]{1,16}[a-z0-9])/gi;

/** The distinct names that a text mentions, in lower case. The accounts may not exist. */
export function mentionedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(mention)].map(([, name = '']) => name.toLowerCase()));
}
