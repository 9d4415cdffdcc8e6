/** `@name`, but not where it goes on from a word, a link or an address. It ends before the full stop of a sentence. */
const mention = /(?<![a-z0-9_!#$%&*@\\/])@([a-z0-9.-]{1,16}[a-z0-9])/gi;

/** The names, in lower case and each once, that a text mentions; whether there are such accounts is another matter. */
export function mentionedNames(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(mention)].map(([, name = '']) => name.toLowerCase()));
}
