import type { Draft } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import { withEntry } from './maps';

/** Replaces a draft, unless the known one is newer. One with an empty text was deleted. */
export function withDraft(data: ChatData, draft: Draft): ChatData {
  const known = data.drafts.get(draft.conversation_id);
  if (known !== undefined && known.updated_at > draft.updated_at) return data;
  return { ...data, drafts: withEntry(data.drafts, draft.conversation_id, draft) };
}
