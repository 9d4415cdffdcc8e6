import type { Draft } from '@waggle/client';
import { emptyChatData, type ChatData } from '../src/store/chat-data';
import { fetchedConversation } from '../src/store/conversation-changes';
import { loadedData } from '../src/store/loaded-data';
import { withEntry } from '../src/store/maps';
import { latestWindow } from '../src/store/message-window';
import { randomOf } from './random';
import { type DeliveredEvent, ServiceModel } from './service-model';

const byId = (a: Draft, b: Draft) => (a.conversation_id < b.conversation_id ? -1 : 1);

/** What must be equal: not the positions, and lists without an order of their own are sorted. */
function comparable({ conversations, windows, people, drafts }: ChatData) {
  return {
    conversations: [...conversations.values()]
      .map(({ id, name, creator, members, moderators, unreadCount, readSeq, lastMessage }) => ({
        id,
        name,
        creator,
        members: [...members].sort(),
        moderators: [...moderators].sort(),
        unreadCount,
        readSeq: unreadCount > 0 ? readSeq : undefined,
        lastMessageId: lastMessage?.id,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    windows: Object.fromEntries([...windows].map(([id, { messages }]) => [id, messages.map((message) => message.id)])),
    friends: [...people.friends].sort(),
    blocked: [...people.blocked].sort(),
    requests: people.requests.map(({ id }) => id).sort(),
    // An event may be later than the end of its conversation.
    drafts: [...drafts.values()]
      .filter(({ conversation_id: id, text }) => conversations.has(id) && text !== '')
      .sort(byId),
  };
}

/** Opens every conversation that was there at the start, and does something a hundred times. */
function run(seed: number): { data: ChatData; fresh: ChatData } {
  const random = randomOf(seed);
  const [entries, unordered]: [DeliveredEvent[], DeliveredEvent[]] = [[], []];
  const service = new ServiceModel(
    (event) => entries.push(event),
    (event) => unordered.push(event),
    random,
  );
  for (let step = 0; step < 20; step++) service.step();
  entries.length = 0;
  unordered.length = 0;

  const withWindows = (loaded: ChatData, ids: Iterable<string>): ChatData => ({
    ...loaded,
    windows: new Map([...ids].map((id) => [id, latestWindow({ messages: service.history(id), hasOlder: false })])),
  });
  let data: ChatData = { ...loadedData(emptyChatData(service.account), service.fetch()), drafts: service.drafts() };
  data = withWindows(data, data.conversations.keys());

  const deliverNext = () => {
    const first = random(8) === 0 ? unordered : entries;
    const event = first.shift() ?? entries.shift() ?? unordered.shift();
    if (event !== undefined) data = event(data);
  };
  // A fetch may be ahead of the events: those that it contains arrive after it.
  const fetchStale = () => {
    for (const known of data.conversations.values()) {
      if (!known.isStale || !service.ids().includes(known.id)) continue;
      const fetched = fetchedConversation(service.fetchConversation(known.id), known);
      data = { ...data, conversations: withEntry(data.conversations, known.id, fetched) };
    }
  };
  for (let step = 0; step < 100; step++) {
    service.step();
    if (random(2) === 0) fetchStale();
    while (entries.length + unordered.length > random(6)) deliverNext();
  }
  while (entries.length + unordered.length > 0) deliverNext();
  fetchStale();
  const fresh = { ...loadedData(emptyChatData(service.account), service.fetch()), drafts: service.drafts() };
  return { data, fresh: withWindows(fresh, data.windows.keys()) };
}

it('reaches the state that is fetched later by applying events to a stale state', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { data, fresh } = run(seed);
    expect({ seed, ...comparable(data) }).toEqual({ seed, ...comparable(fresh) });
  }
});
