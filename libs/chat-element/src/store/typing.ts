import type { ChatData } from './chat-data';

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
