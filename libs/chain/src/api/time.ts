import { z } from 'zod';

/** Time as Hive writes it: UTC to the second, without a zone, such as `2026-01-01T00:00:00`. */
export const hiveTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .transform((text) => new Date(`${text}Z`))
  .refine((time) => !Number.isNaN(time.getTime()), 'not a time');
