import { z } from 'zod';
import { mutedReasons } from '../../posts/muted-reasons';
import { method } from '../declaration/declaration';

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
