import { invisible, writtenText } from './written-text';

/** Characters that make names look alike or empty: invisible ones, and white space other than single spaces. */
const misleading = new RegExp(`[${invisible}]|[^\\S ]| {2}`, 'v');

/**
 * Emoji for general interchange (RGI, Unicode Technical Standard 51). A name may contain joiners, variation selectors and tags
 * (of the flags of England, Scotland and Wales) only in these.
 */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** A part of an emoji that has a variation selector in the RGI sequence, which some keyboards omit. */
const emojiPart = new RegExp(
  '([[\\p{Emoji}&&\\p{Extended_Pictographic}]--\\p{Emoji_Presentation}])(?!\\uFE0F?\\p{Emoji_Modifier})\\uFE0F?',
  'gv',
);

/** Replaces emoji by a visible character, so that spaces on both sides stay separate. */
const withoutEmoji = (name: string) => name.replace(emojiPart, '$1\uFE0F').replace(emoji, '.');

/** A name: text without invisible characters, and with single spaces only. */
export const writtenName = (max: number) =>
  writtenText(max)
    .refine(
      (name) => !misleading.test(name) || !misleading.test(withoutEmoji(name)),
      'must not contain invisible characters, or white space other than single spaces',
    )
    .meta({
      description: `1 to ${max} characters, not blank, no invisible characters, no white space except single spaces`,
    });
