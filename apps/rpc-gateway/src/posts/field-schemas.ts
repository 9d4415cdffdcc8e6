import { z } from 'zod';

export const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
export const hbd = z.string().regex(/^-?\d+\.\d{3} HBD$/);
export const count = z.int().min(0);
/** An integer with more digits than `z.int()` allows. */
export const longInt = z.number().meta({ type: 'integer' });
export const beneficiaries = z.array(z.looseObject({ account: z.string(), weight: z.int() }));
