import { z } from 'zod';

/** A field or parameter that some clients send empty or as null instead of leaving it out. */
export const absentIfEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());
