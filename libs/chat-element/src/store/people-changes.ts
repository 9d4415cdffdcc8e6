import type { ChatData, People } from './chat-data';
import { changeConversation } from './conversation-changes';

export function changePeople(data: ChatData, change: (people: People) => People): ChatData {
  return { ...data, people: change(data.people) };
}

export function withoutRequest(data: ChatData, requestId: string): ChatData {
  return changePeople(data, (people) => ({
    ...people,
    requests: people.requests.filter(({ id }) => id !== requestId),
    sentRequests: people.sentRequests.filter(({ id }) => id !== requestId),
  }));
}

/** Ends a friendship; the presence of an account that is not a friend is unknown. */
export function withoutFriend(data: ChatData, account: string): ChatData {
  const online = new Set(data.online);
  online.delete(account);
  return changePeople({ ...data, online }, (people) => ({
    ...people,
    friends: people.friends.filter((friend) => friend !== account),
  }));
}

/** Marks the dm with an account as blocked, if there is one. */
export function setBlocked(data: ChatData, dmId: string | null, blocked: boolean): ChatData {
  return dmId === null ? data : changeConversation(data, dmId, (dm) => ({ ...dm, blocked }));
}
