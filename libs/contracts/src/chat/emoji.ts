import { z } from 'zod';

/**
 * One emoji as keyboards send it: a fully qualified sequence that is recommended for general interchange (UTS #51), as
 * the Unicode data of this Node.js knows it. A constructor, since TypeScript accepts literals with the flag `v` only
 * from ES2024 on.
 */
const oneEmoji = new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v');

/** More UTF-16 units than any emoji has. */
const maxLength = 64;

/** An emoji that a newer or older service may have accepted. */
export const storedEmoji = z.string().max(maxLength).meta({ description: 'One emoji' });

export const emoji = z
  .string()
  .max(maxLength)
  .refine((text) => oneEmoji.test(text), 'must be one emoji')
  .meta({ description: 'One fully qualified emoji, which may consist of several code points' });
