import { rankOf } from '../elements/ranking';

/** An emoji with its name and words that find it, in one language. */
export interface Emoji {
  /** Fully qualified, as the service requires. */
  readonly emoji: string;
  readonly label: string;
  readonly tags: readonly string[];
}

export interface EmojiGroup {
  readonly name: string;
  readonly emoji: readonly Emoji[];
}

/** An entry of emojibase-data, whose package describes all fields. */
export interface EmojibaseEntry {
  readonly emoji: string;
  readonly label: string;
  readonly tags?: readonly string[];
  /** Undefined for letters of flags. */
  readonly group?: number;
  /** The version of Emoji that added it. */
  readonly version: number;
}

export interface EmojibaseMessages {
  readonly groups: readonly { readonly message: string; readonly order: number }[];
}

/** The version that every supported runtime of the service knows: Node.js 20 has Unicode 15. */
const maxVersion = 15;

/** A variation selector after a character that is an emoji without it: then it is not fully qualified. */
const unneededSelector = /^(\p{Emoji_Presentation})\uFE0F$/u;

/** Hair and skin tones alone. */
const components = 2;

/** Whether an emoji can be chosen. */
export function isChoice({ group, version }: EmojibaseEntry): boolean {
  return group !== undefined && group !== components && version <= maxVersion;
}

/** Groups what can be chosen, in the order of Unicode. */
export function emojiSet(entries: readonly EmojibaseEntry[], { groups }: EmojibaseMessages): readonly EmojiGroup[] {
  return groups
    .map(({ message, order }) => ({
      name: message,
      emoji: entries
        .filter((entry) => entry.group === order && isChoice(entry))
        .map(({ emoji, label, tags = [] }) => ({ emoji: emoji.replace(unneededSelector, '$1'), label, tags })),
    }))
    .filter(({ emoji }) => emoji.length > 0);
}

const imports: Record<string, () => Promise<{ default: readonly EmojiGroup[] }>> = {
  es: () => import('./es'),
  ko: () => import('./ko'),
};

/** Loads the emoji with names in a language; in English if there are no others. Rejects if that fails. */
export async function loadEmoji(locale: string): Promise<readonly EmojiGroup[]> {
  const language = locale.slice(0, 2);
  const load = Object.hasOwn(imports, language) ? imports[language] : undefined;
  return (await (load?.() ?? import('./en'))).default;
}

/** The emoji whose names match a query, the best first. */
export function matchingEmoji(groups: readonly EmojiGroup[], query: string, maxCount: number): Emoji[] {
  const wanted = query.replaceAll('_', ' ').trim();
  return groups
    .flatMap(({ emoji }) => emoji)
    .flatMap((each) => {
      const ranks = [each.label, ...each.tags].map((text) => rankOf(text, wanted) ?? Infinity);
      const rank = Math.min(...ranks);
      return rank === Infinity ? [] : { each, rank };
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, maxCount)
    .map(({ each }) => each);
}
