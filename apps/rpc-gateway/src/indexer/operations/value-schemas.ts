import { toStorableText } from '../../storable-text';
import { z } from 'zod';

/** Text from the chain, without characters that the database cannot store. */
export const chainText = z.string().transform(toStorableText);

/** Twice the maximum size of an operation on Hive, in UTF-16 code units. */
const maxTextLength = 128 * 1_024;

/** As `chainText`, but empty if it is longer than an operation can be: only a lying node sends such. */
export const boundedText = chainText.transform((text) => (text.length > maxTextLength ? '' : text));

/** A 64-bit integer; hived writes those beyond 32 bits as strings. */
export const chainNumber = z.union([z.int(), z.string().regex(/^-?\d{1,20}$/)]).transform(BigInt);

/** The amount of an asset such as `{amount: "14483", precision: 3, nai: "@@000000013"}`. */
export const chainAmount = z.object({ amount: chainNumber }).transform(({ amount }) => amount);

/** A part of a whole in hundredths of a percent; negative for a downvote. */
export const chainPercent = z.int().min(-10_000).max(10_000);
