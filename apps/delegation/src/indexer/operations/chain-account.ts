import { z } from 'zod';

/** Allows every character that names on the chain have ever had. Names are written into JSON and CSV unescaped. */
export const chainAccount = z.string().regex(/^[a-z0-9.-]{1,16}$/);
