import { z } from 'zod';

const hiveAuthority = z.object({
  weight_threshold: z.number(),
  account_auths: z.array(z.tuple([z.string(), z.number()])),
  key_auths: z.array(z.tuple([z.string(), z.number()])),
});

/** An account as `database_api.find_accounts` returns it, without the fields that signature checks do not need. */
export const hiveAccount = z.object({
  name: z.string(),
  owner: hiveAuthority,
  active: hiveAuthority,
  posting: hiveAuthority,
});

/** An authority as nodes encode it: keys are text, `STM…`. */
export type HiveAuthority = z.infer<typeof hiveAuthority>;
export type HiveAccount = z.infer<typeof hiveAccount>;
