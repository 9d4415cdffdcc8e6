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

/** A code point that a reader can see: not white space, a control character, default-ignorable or the braille blank. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;

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

/**
 * Code points that make a name look like another one or like nothing: control characters, line breaks, the braille blank and all
 * that Unicode calls default-ignorable (fillers, zero-width characters, marks of direction, variation selectors, tags).
 */
const misleading = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;

/**
 * Emoji as keyboards write them (RGI of Unicode Technical Standard 51). Only in these may a name contain joiners, variation
 * selectors and tags (of the flags of England, Scotland and Wales). TypeScript accepts a literal with the flag `v` from ES2024 on.
 */
const emoji = new RegExp('\\p{RGI_Emoji}', 'gv');

/** As `writtenText`, for names. */
export const writtenName = (most: number) =>
  writtenText(most)
    .refine(
      (name) => !misleading.test(name.replace(emoji, '')),
      'must not contain control characters, or such as are not seen',
    )
    .meta({ description: `1 to ${most} characters, not blank, none of them invisible` });
