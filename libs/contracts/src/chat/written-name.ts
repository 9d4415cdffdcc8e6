import { z } from 'zod';
import { invisible, writtenText } from './written-text';

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

/** Each Indic script, and its virama. */
const viramas = {
  Devanagari: '\\u094D',
  Bengali: '\\u09CD',
  Gurmukhi: '\\u0A4D',
  Gujarati: '\\u0ACD',
  Oriya: '\\u0B4D',
  Tamil: '\\u0BCD',
  Telugu: '\\u0C4D',
  Kannada: '\\u0CCD',
  Malayalam: '\\u0D4D',
  Sinhala: '\\u0DCA',
};

/**
 * Letters of the Arabic script that join the preceding letter only. Source: ArabicShaping.txt of Unicode, as for the
 * next two.
 */
const joiningBefore =
  '\\u0622-\\u0625\\u0627\\u0629\\u062F-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06C0\\u06C3-\\u06CB\\u06CD\\u06CF\\u06D2\\u06D3\\u06D5\\u06EE\\u06EF' +
  '\\u0759-\\u075B\\u076B\\u076C\\u0771\\u0773\\u0774\\u0778\\u0779\\u0870-\\u0882\\u088E\\u08AA-\\u08AC\\u08AE\\u08B1\\u08B2\\u08B9';
/** Letters that join no other. */
const notJoining = '\\u0621\\u0674\\u06E5\\u06E6\\u0887\\u08AD\\u08C9';
/** Letters that join another, without presentation forms. */
const joining = `[\\p{Script=Arabic}&&\\p{L}&&[\\u0600-\\u08FF]]--[${notJoining}]`;

/**
 * Zero-width joiners and non-joiners between two letters whose look they change: after a virama, and a non-joiner
 * between two Arabic letters, as in Persian, that would join. Source: RFC 5892, appendices A.1 and A.2, which also
 * permit them at the end of a word.
 *
 * It looks behind after it found a joiner: looking behind at every character takes quadratic time.
 */
const joiner = new RegExp(
  [
    ...Object.entries(viramas).map(
      ([script, virama]) =>
        `[\\u200C\\u200D](?<=[\\p{Script=${script}}&&\\p{L}]\\p{M}*${virama}.)(?=[\\p{Script=${script}}&&\\p{L}])`,
    ),
    `\\u200C(?<=[[${joining}]--[${joiningBefore}]]\\p{M}*.)(?=\\p{M}*[${joining}])`,
  ].join('|'),
  'gv',
);

/** Returns the name without the invisible characters that it may contain. */
const withoutPermitted = (name: string) => withoutEmoji(name.replace(joiner, ''));

/**
 * More combining marks in a row than any word has. They are ordered by normalization, which takes quadratic time: 230
 * ms for 32,000. Source of the limit: the Stream-Safe Text Format of Unicode Standard Annex 15.
 */
const manyMarks = /\p{M}{31}/u;

/** Text that is trimmed and normalized. */
const nameText = z
  .string()
  .refine((name) => !manyMarks.test(name), {
    message: 'must not have more than 30 combining marks in a row',
    abort: true,
  })
  .trim()
  .normalize('NFC');

/**
 * A name: text without invisible characters, and with single spaces only. It is trimmed and normalized (NFC), so that
 * names that look the same are the same.
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
