import { z } from 'zod';
import { maxNameCharacters } from './limits';
import { invisible, tooLarge, writtenText } from './written-text';

/** Characters that make names look alike or empty: invisible ones, and white space other than single spaces. */
const misleading = new RegExp(`[${invisible}]|[^\\S ]| {2}`, 'v');

/**
 * Emoji for general interchange (RGI, Unicode Technical Standard 51). A name may contain variation selectors and tags
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

/** The viramas of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam and Sinhala. */
const viramas = '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA';

/** Letters of the Arabic script that join the preceding letter only, or none. Source: ArabicShaping.txt of Unicode. */
const notJoiningNext =
  '\\u0621-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06EE\\u06EF' +
  '\\u0759-\\u075B\\u076B\\u076C\\u0771\\u0773\\u0774\\u0778\\u0779\\u0870-\\u0885\\u088E\\u08AA-\\u08AE\\u08B1\\u08B2\\u08B9';
const arabicLetter = '\\p{Script=Arabic}&&\\p{L}';

/**
 * Zero-width joiners and non-joiners that change how a word looks: after the virama of an Indic script, and a non-joiner between two
 * letters of the Arabic script, as in Persian, that would join. Source: RFC 5892, appendices A.1 and A.2.
 *
 * It looks behind after it found a joiner: looking behind at every character takes quadratic time.
 */
const joiner = new RegExp(
  `[\\u200C\\u200D](?<=\\p{L}\\p{M}*[${viramas}].)|\\u200C(?<=[[${arabicLetter}]--[${notJoiningNext}]]\\p{M}*.)(?=\\p{M}*[${arabicLetter}])`,
  'gv',
);

/** Returns the name without the invisible characters that it may contain. */
const withoutPermitted = (name: string) => withoutEmoji(name.replace(joiner, ''));

/**
 * Text that is trimmed and normalized. Its length is limited before, to the longest name with four characters for each composed one,
 * since normalizing takes quadratic time: 230 ms for 32,000 combining marks.
 */
const nameText = z
  .string()
  .refine((name) => name.length <= 4 * maxNameCharacters, { message: 'is too long', params: tooLarge, abort: true })
  .trim()
  .normalize('NFC');

/**
 * A name: text without invisible characters, and with single spaces only. It is trimmed and normalized (NFC), so that names that look the
 * same are the same.
 */
export const writtenName = (max: number) =>
  writtenText(max, nameText)
    .refine(
      (name) => !misleading.test(name) || !misleading.test(withoutPermitted(name)),
      'must not contain invisible characters, or white space other than single spaces',
    )
    .meta({
      description: `1 to ${max} characters, not blank, no invisible characters, no white space except single spaces. Trimmed and normalized (NFC)`,
    });
