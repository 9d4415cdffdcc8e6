import type { ChatData, People } from './chat-data';

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
