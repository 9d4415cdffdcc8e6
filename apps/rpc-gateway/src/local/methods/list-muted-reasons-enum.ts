import { z } from 'zod';
import { method } from '../declaration';

/** The numbers are those of `muted_reasons` in posts. */
const mutedReasons = {
  MUTED_COMMUNITY_MODERATION: 0,
  MUTED_COMMUNITY_TYPE: 1,
  MUTED_PARENT: 2,
  MUTED_REPUTATION: 3,
  MUTED_ROLE_COMMUNITY: 4,
} as const;

export const listMutedReasonsEnum = method({
  name: 'bridge.list_muted_reasons_enum',
  summary: 'Why a post may be muted, and the number of each reason',
  required: 0,
  parameters: {},
  result: z.record(z.string(), z.int().min(0)),
  example: { params: {}, result: mutedReasons },
  answer: () => Promise.resolve(mutedReasons),
});
