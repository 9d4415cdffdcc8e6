import { z } from 'zod';

/** Identifier of a conversation, message or friend request. Clients treat it as opaque; ours are ULIDs. */
export const identifier = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,64}$/, 'not an identifier')
  .meta({ description: 'Opaque identifier' });

/** ISO 8601, UTC, with milliseconds: `2026-01-31T12:00:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds' });

/** Marks the faults of a schema that are a matter of size alone: they are answered `too-large`. */
export const tooLarge = { tooLarge: true };

/** A field that some clients send empty where they mean that it is absent. */
export const absentIfEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

/**
 * Code points without a glyph: control and format characters, unassigned and private ones, all that Unicode calls
 * default-ignorable (fillers, zero-width characters, marks of direction, variation selectors, tags), and the symbols and fillers
 * that are blank: braille, the musical null notehead, the Khitan filler, the object replacement character.
 */
const invisible = '\\p{Cc}\\p{Cf}\\p{Cn}\\p{Co}\\p{Default_Ignorable_Code_Point}\\u2800\\u{1D159}\\u{16FE4}\\uFFFC';

/**
 * A code point that a reader can see by itself: a letter, number, punctuation or symbol, or half of a surrogate pair, which
 * becomes U+FFFD. TypeScript accepts a literal with the flag `v` from ES2024 on.
 */
const visible = new RegExp(`[[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Cs}]--[${invisible}]]`, 'v');

/** Control characters below the space other than tab, line feed and carriage return. The test of 4,000 characters takes 5 µs. */
const control = /[^\t\n\r -\uFFFF]/;

/**
 * Text that a person wrote: at most `most` characters, at least one of them visible. JSON writes control characters as six
 * bytes each and PostgreSQL cannot store NUL; without them a character takes at most four bytes. Halves of surrogate pairs
 * become U+FFFD, so that what is stored is what everybody was sent.
 */
export const writtenText = (most: number) =>
  z
    .string()
    .refine((text) => visible.test(text), 'must not be blank')
    .refine((text) => !control.test(text), 'must not contain control characters other than tab and line breaks')
    // Code points can only be fewer than UTF-16 units, so most texts need not be counted.
    .refine((text) => text.length <= most || Array.from(text).length <= most, {
      message: `must have at most ${most} characters`,
      params: tooLarge,
    })
    .transform((text) => text.toWellFormed())
    .meta({ description: `1 to ${most} characters, not blank, no control characters but tab and line breaks` });

/** What makes a name look like another one or like nothing: invisible code points, and white space other than single plain spaces. */
const misleading = new RegExp(`[${invisible}]|[^\\S ]| {2}`, 'v');

/**
 * Emoji as keyboards write them (RGI of Unicode Technical Standard 51). Only in these may a name contain joiners, variation
 * selectors and tags (of the flags of England, Scotland and Wales).
 */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** A part of an emoji that has a variation selector in the RGI sequence; some keyboards omit it. */
const emojiPart = new RegExp(
  '([[\\p{Emoji}&&\\p{Extended_Pictographic}]--\\p{Emoji_Presentation}])(?!\\uFE0F?\\p{Emoji_Modifier})\\uFE0F?',
  'gv',
);

/** The emoji leave a visible character, so that what is on both sides of them stays apart. */
const withoutEmoji = (name: string) => name.replace(emojiPart, '$1\uFE0F').replace(emoji, '.');

/** As `writtenText`, for names. */
export const writtenName = (most: number) =>
  writtenText(most)
    .refine(
      (name) => !misleading.test(name) || !misleading.test(withoutEmoji(name)),
      'must not contain invisible characters, or white space other than single spaces',
    )
    .meta({
      description: `1 to ${most} characters, not blank, none of them invisible, no white space but single spaces`,
    });
