import type { ChatEvents, ConversationChange, StreamPosition } from '@waggle/client/browser';
import type { AppliedEvent } from './apply-event';
import type { ChatData } from './chat-data';
import { withEntry } from './maps';
import { withChanges } from './message-window';

const changeTypes: readonly ConversationChange['type'][] = [
  'member-added',
  'member-left',
  'member-removed',
  'moderator-added',
  'moderator-removed',
  'conversation-renamed',
];

/**
 * Adds an event to the loaded history of its conversation, if it is a change that the history shows. A history that
 * does not reach the end gets it when its next page is loaded.
 */
export function withHistoryChange<E extends AppliedEvent>(
  data: ChatData,
  event: E,
  payload: ChatEvents[E],
  position: StreamPosition | undefined,
): ChatData {
  const type = changeTypes.find((each) => each === event);
  const window = position === undefined ? undefined : data.windows.get(position.stream);
  if (type === undefined || position?.by === undefined || window?.reachesEnd !== true) return data;
  const { seq, by, timestamp = '' } = position;
  const name = 'name' in payload ? (payload.name ?? null) : null;
  const changed = withChanges(window, [{ seq, timestamp, type, by, username: changedMember(payload), name }]);
  return { ...data, windows: withEntry(data.windows, position.stream, changed) };
}

/** Returns whom a change is about; null if it is about the whole conversation. */
function changedMember(payload: object): string | null {
  const { username, member } = payload as { username?: string; member?: string };
  return username ?? member ?? null;
}
