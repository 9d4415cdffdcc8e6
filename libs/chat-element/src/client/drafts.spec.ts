import { testChat, TestStore } from '../../test/test-chat';
import { withDraft } from '../store/drafts';
import { BrowserStorage } from './browser-storage';
import { Drafts } from './drafts';

const quote = { id: 'm', from: 'bob', content: 'Coffee?' };
const nothing = { text: '', replyTo: undefined };
let storage: BrowserStorage;
beforeEach(() => {
  // What cannot be stored, as here, is kept by the instance.
  storage = new BrowserStorage('waggle:test:');
});

/** A page without a connection. */
function openPage() {
  const store = new TestStore();
  const drafts = new Drafts(testChat(), store, storage);
  /** Another device changes the draft, by its own clock that many milliseconds from now. */
  const changeElsewhere = (text: string, inMs: number): void => {
    const updated_at = new Date(Date.now() + inMs).toISOString();
    store.update((data) => withDraft(data, { conversation_id: 'c', text, updated_at }));
  };
  return { store, drafts, changeElsewhere };
}

it('keep what the service does not have over a reload, with the message that they reply to', () => {
  const { drafts } = openPage();
  drafts.write('c', { text: 'Yes', replyTo: quote });
  drafts.write('d', { text: '', replyTo: quote });
  drafts.saveChanged();
  drafts.saveAll();
  const reloaded = openPage();
  reloaded.drafts.saveAll();
  expect(reloaded.drafts.of('c')).toMatchObject({ text: 'Yes', replyTo: quote });
  expect(reloaded.drafts.of('d')).toMatchObject({ text: '', replyTo: quote });
  expect(reloaded.drafts.of('e')).toEqual(nothing);
});

it('are the drafts of the service otherwise, also of another device', () => {
  const { drafts, changeElsewhere } = openPage();
  changeElsewhere('first', -5_000);
  expect(drafts.of('c').text).toBe('first');
  drafts.write('c', { text: 'first', replyTo: undefined });
  drafts.saveChanged();
  expect(storage.keys('')).toEqual([]);
  changeElsewhere('second', -4_000);
  changeElsewhere('late', -4_500);
  expect(drafts.of('c').text).toBe('second');
});

it('are what is being written, even if another device changes them meanwhile', () => {
  const { drafts, changeElsewhere } = openPage();
  drafts.write('c', { text: 'mine', replyTo: undefined });
  changeElsewhere('theirs', 5_000);
  drafts.saveChanged();
  expect(drafts.of('c').text).toBe('mine');
});

it.each([
  ['here', -5_000, 'mine'],
  ['elsewhere', 5_000, 'theirs'],
])('are after an absence what was written last, %s', (_, inMs, text) => {
  const away = openPage();
  away.drafts.write('c', { text: 'mine', replyTo: undefined });
  away.changeElsewhere('theirs', inMs);
  away.drafts.saveAll();
  expect(away.drafts.of('c').text).toBe(text);
});

it('are later than the draft that they replace, even if the clock of the device is behind', () => {
  const { drafts, changeElsewhere } = openPage();
  changeElsewhere('by the clock of the service', 60_000);
  drafts.write('c', { text: 'mine', replyTo: undefined });
  drafts.saveAll();
  expect(drafts.of('c').text).toBe('mine');
});

it('ignore damaged values', () => {
  const { drafts } = openPage();
  for (const damaged of ['text', null, { text: 'x' }, { text: 'x', writtenAtMs: 1, replyTo: { id: 'm' } }]) {
    storage.write('draft:c', damaged);
    expect(drafts.of('c')).toEqual(nothing);
  }
});
