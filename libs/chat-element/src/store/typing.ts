import type { ChatEvents } from '@waggle/client/browser';
import type { ChatData } from './chat-data';
import { withEntry } from './maps';

/** How long to show that someone is typing, in milliseconds. Clients repeat `typing` every 3 s. */
const typingMs = 5_000;

export function withTyping(
  data: ChatData,
  { conversation_id, username }: ChatEvents['typing'],
  nowMs: number,
): ChatData {
  const accounts = data.typing.get(conversation_id) ?? new Map<string, number>();
  const typing = withEntry(data.typing, conversation_id, withEntry(accounts, username, nowMs + typingMs));
  return { ...data, typing };
}

/** Forgets accounts whose last `typing` event is too old. */
export function withoutExpiredTyping(data: ChatData, nowMs: number): ChatData {
  const isExpired = (untilMs: number) => untilMs <= nowMs;
  if (![...data.typing.values()].some((accounts) => [...accounts.values()].some(isExpired))) return data;
  const typing = new Map<string, ReadonlyMap<string, number>>();
  for (const [id, accounts] of data.typing) {
    const rest = new Map([...accounts].filter(([, untilMs]) => !isExpired(untilMs)));
    if (rest.size > 0) typing.set(id, rest);
  }
  return { ...data, typing };
}
