import { testChat, TestStore } from '../../test/test-chat';
import { changePeople } from '../store/people-changes';
import { BrowserStorage } from './browser-storage';
import { People } from './people';

it('drops a sent request that was accepted while the browser was offline', () => {
  const storage = new BrowserStorage('waggle:test:');
  storage.write('sent-request:1', { id: '1', username: 'bob' });
  storage.write('sent-request:2', { id: '2', username: 'carol' });
  const shownRequests = (friends: string[]) => {
    const store = new TestStore();
    const people = new People(testChat(), store, storage);
    store.update((data) => changePeople(data, (all) => ({ ...all, friends })));
    people.dropAccepted();
    return store.data.people.sentRequests.map(({ username }) => username);
  };
  expect(shownRequests(['bob'])).toEqual(['carol']);
  expect(shownRequests([])).toEqual(['carol']);
});
