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
 * Text that a person wrote: not blank, of at most `most` characters, without NUL (which PostgreSQL cannot store).
 * Halves of surrogate pairs become U+FFFD, so that what is stored is what everybody was sent.
 */
export const writtenText = (most: number) =>
  z
    .string()
    .refine((text) => text.trim().length > 0, 'must not be blank')
    .refine((text) => !text.includes('\0'), 'must not contain NUL')
    // Code points can only be fewer than UTF-16 units, so most texts need not be counted.
    .refine((text) => text.length <= most || Array.from(text).length <= most, {
      message: `must have at most ${most} characters`,
      params: tooLarge,
    })
    .transform((text) => text.toWellFormed())
    .meta({ description: `1 to ${most} characters, not blank` });

/**
 * What makes a name look like another or like nothing: control characters, line breaks, characters without width and marks
 * of direction. Not the joiner (U+200D), of which emoji are made.
 */
const misleading = /[\p{Cc}\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/u;

/** As `writtenText`, for names. */
export const writtenName = (most: number) =>
  writtenText(most)
    .refine((name) => !misleading.test(name), 'must not contain control characters, or such as are not seen')
    .meta({ description: `1 to ${most} characters, not blank, none of them invisible` });
