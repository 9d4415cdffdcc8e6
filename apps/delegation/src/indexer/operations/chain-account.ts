import { z } from 'zod';

/** Every character that names on the chain have had; they go into JSON and CSV as they are. */
export const chainAccount = z.string().regex(/^[a-z0-9.-]{1,16}$/);
