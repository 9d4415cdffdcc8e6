import { testChat, TestStore } from '../../test/test-chat';
import { changePeople } from '../store/people-changes';
import { BrowserMemory } from './browser-memory';
import { People } from './people';

it('forgets a sent request that was accepted while the browser was away', () => {
  const memory = new BrowserMemory('waggle:test:');
  memory.write('sent-request:1', { id: '1', username: 'bob' });
  memory.write('sent-request:2', { id: '2', username: 'carol' });
  const shownRequests = (friends: string[]) => {
    const store = new TestStore();
    const people = new People(testChat(), store, memory);
    store.update((data) => changePeople(data, (all) => ({ ...all, friends })));
    people.dropAccepted();
    return store.data.people.sentRequests.map(({ username }) => username);
  };
  expect(shownRequests(['bob'])).toEqual(['carol']);
  expect(shownRequests([])).toEqual(['carol']);
});
