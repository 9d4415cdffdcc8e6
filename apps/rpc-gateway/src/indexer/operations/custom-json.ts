import { onOperation } from '@waggle/chain';
import { z } from 'zod';
import { readCommunityAction } from '../community/read-action';
import { readFollow } from '../custom/follow';
import { readJson } from '../custom/json';
import { readNotify } from '../custom/notify';
import { readReblog, readReblogAlone } from '../custom/reblog';
import { type Effect, type Effects } from '../effects';

/** Reads what an account has signed; undefined where it means nothing. */
type Reader = (signer: string, json: unknown) => Effect | undefined;

const readers = new Map<string, Reader>([
  ['follow', (signer, json) => readFollow(signer, json) ?? readReblog(signer, json)],
  ['reblog', readReblogAlone],
  ['community', readCommunityAction],
  ['notify', readNotify],
]);

/** What applications agree upon and the chain does not look at. Anybody may send anything: what is not understood is nothing. */
export const customJson = onOperation(
  'custom_json_operation',
  z.object({
    required_auths: z.array(z.string()),
    required_posting_auths: z.array(z.string()),
    id: z.string(),
    json: z.string(),
  }),
  (effects: Effects, { required_auths: active, required_posting_auths: posting, id, json }, place) => {
    const [signer] = posting;
    const read = readers.get(id);
    // One account, by its posting key.
    if (read === undefined || signer === undefined || active.length > 0 || posting.length > 1) return;
    const effect = read(signer, readJson(json));
    if (effect) effects.add(place, effect);
  },
);
