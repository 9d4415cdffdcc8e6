import { z } from 'zod';
import { method } from '../declaration/declaration';

/** The numbers of `muted_reasons` in posts. */
const mutedReasons = {
  MUTED_COMMUNITY_MODERATION: 0,
  MUTED_COMMUNITY_TYPE: 1,
  MUTED_PARENT: 2,
  MUTED_REPUTATION: 3,
  MUTED_ROLE_COMMUNITY: 4,
} as const;

export const listMutedReasonsEnum = method({
  name: 'bridge.list_muted_reasons_enum',
  summary: 'The reasons for muting a post, with their numbers',
  required: 0,
  parameters: {},
  result: z.record(z.string(), z.int().min(0)),
  example: { params: {}, result: mutedReasons },
  needs: [],
  handle: () => Promise.resolve(mutedReasons),
});
