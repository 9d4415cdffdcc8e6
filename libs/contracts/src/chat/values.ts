import { z } from 'zod';

/** Identifier of a conversation, message or friend request. Clients treat it as opaque; ours are ULIDs. */
export const identifier = z
  .string()
  .regex(/^[0-9A-Za-z_-]{1,64}$/, 'not an identifier')
  .meta({ description: 'Opaque identifier' });

/** ISO 8601, UTC, with milliseconds: `2026-01-31T12:00:00.000Z`. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ description: 'ISO 8601 UTC with milliseconds' });
